import type { IncomingMessage } from 'node:http'

/**
 * Returns the address that a client used, such as `http://localhost:8080`: behind a container or a
 * proxy it differs from the gateway's own.
 * @param base the gateway's own address: its path is kept, and its scheme if the host is the same
 * @returns `base` if the Host header is invalid
 */
export function askedAt(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  base: string,
): string {
  const known = new URL(base)
  const asked = URL.parse(`http://${headers.host ?? ''}`)
  if (asked?.username !== '' || asked.pathname !== '/' || asked.search !== '') return base
  const scheme =
    'encrypted' in socket ? 'https:' : asked.host === known.host ? known.protocol : 'http:'
  return `${scheme}//${asked.host}${known.pathname.replace(/\/$/, '')}`
}
