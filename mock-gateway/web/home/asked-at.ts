import type { IncomingMessage } from 'node:http'

/**
 * The address at which somebody has asked, such as `http://localhost:8080`: what a container or a
 * proxy calls the gateway is not what it calls itself.
 * @param base where the gateway says that it is: its path is kept, and its scheme where the host is
 *   the same
 * @returns `base` where the Host header names no host
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
