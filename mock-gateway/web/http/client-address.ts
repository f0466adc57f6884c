import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * Where a request comes from, as far as one client can be told from the next: an IPv4 address, or
 * the first 64 bits of an IPv6 address, below which every client chooses freely. Of a connection
 * that has gone it is empty.
 */
export function clientAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
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
