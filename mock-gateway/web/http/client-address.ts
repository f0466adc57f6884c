import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { splitIntoWords } from '../../domain/webhook/addresses.ts'

/**
 * Returns the client's address for rate limits: an IPv4 address, or the first 64 bits of an IPv6
 * address, because clients choose the rest freely. Empty if the connection was closed.
 */
export function findClientAddress({ socket }: Pick<IncomingMessage, 'socket'>): string {
  const sent = socket.remoteAddress ?? ''
  if (!sent.includes(':')) return sent
  const [address = ''] = sent.split('%')
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const words = splitIntoWords(plain).slice(0, 4)
  return `${words.map((word) => word.toString(16)).join(':')}::/64`
}
