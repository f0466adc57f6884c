import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * Returns the client's address for rate limits: an IPv4 address, or the first 64 bits of an IPv6
 * address, because clients choose the rest freely. Empty if the connection was closed.
 */
export function findClientAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  const sent = socket.remoteAddress ?? ''
  if (!sent.includes(':')) return sent
  const [address = ''] = sent.split('%')
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(plain) ? network(plain) : plain
}

function network(address: string): string {
  const [left = '', right] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const groups =
    right === undefined
      ? [...left]
      : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
