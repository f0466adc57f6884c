import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'

/**
 * Profiles of allowed addresses. `local`: also loopback and private networks, for development.
 * `strict`: only public addresses.
 */
export const ADDRESS_PROFILES = ['local', 'strict'] as const
export type AddressProfile = (typeof ADDRESS_PROFILES)[number]

/**
 * Never called: link-local, multicast, unspecified, broadcast, and the metadata services of clouds.
 */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
]

/** Addresses that are not globally reachable (IANA, special-purpose address registries). */
const NOT_GLOBAL = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1/128',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fec0::/10',
]

/** Creates a list of address ranges such as `10.0.0.0/8`. */
export function createBlockList(prefixes: readonly string[]): BlockList {
  const list = new BlockList()
  for (const prefix of prefixes) {
    const [address = '', bits] = prefix.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

const LISTS = {
  local: createBlockList(NEVER),
  strict: createBlockList([...NEVER, ...NOT_GLOBAL]),
} as const

/** Names of cloud metadata services, which return a machine's secrets. */
const METADATA = /^(?:metadata(?:\.google)?(?:\.internal)?|instance-data(?:\.ec2\.internal)?)\.?$/i

/** Returns true for names that must not be looked up. */
export const isForbiddenName = (hostname: string): boolean => METADATA.test(hostname)

/**
 * Returns true if an address must not be called.
 * @param address IPv4 or IPv6, without brackets; IPv4 addresses inside IPv6 (mapped, NAT64, 6to4,
 *   Teredo) are checked too
 */
export function isForbiddenAddress(address: string, profile: AddressProfile): boolean {
  const list = LISTS[profile]
  if (isIPv4(address)) return list.check(address)
  if (!isIPv6(address)) return true
  const wrapped = findWrappedAddress(address)
  return list.check(address, 'ipv6') || (wrapped !== undefined && list.check(wrapped))
}

/**
 * Returns the IP address in a URL, if it has one instead of a name. @param hostname as in a URL,
 * IPv6 in brackets
 */
export function findAddressIn(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) ? address : undefined
}

/** Returns true if both profiles forbid a URL, as far as is known before the name is looked up. */
export function isNeverCalled({ hostname }: URL): boolean {
  const address = findAddressIn(hostname)
  return address === undefined ? isForbiddenName(hostname) : isForbiddenAddress(address, 'local')
}

/** IPv4 addresses inside IPv6: the position of their bits; Teredo inverts them. */
const WRAPPINGS = [
  { prefix: createBlockList(['::ffff:0:0/96', '64:ff9b::/96']), at: 6, turned: 0 },
  { prefix: createBlockList(['2002::/16']), at: 1, turned: 0 },
  { prefix: createBlockList(['2001::/32']), at: 6, turned: 0xffff },
] as const

/** Returns the IPv4 address inside an IPv6 address; undefined if there is none. */
export function findWrappedAddress(address: string): string | undefined {
  const wrapping = WRAPPINGS.find(({ prefix }) => prefix.check(address, 'ipv6'))
  if (!wrapping) return undefined
  const words = splitIntoWords(address).slice(wrapping.at, wrapping.at + 2)
  return words
    .flatMap((word) => [(word ^ wrapping.turned) >> 8, (word ^ wrapping.turned) & 0xff])
    .join('.')
}

/** Returns the eight numbers of an IPv6 address. */
export function splitIntoWords(address: string): readonly number[] {
  // Node writes the last two of some addresses as IPv4.
  const written = new SocketAddress({
    address: address.replace(/%.*$/s, ''),
    family: 'ipv6',
  }).address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })
  const [head = '', tail] = written.split('::')
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))
  const [before, after] = [numbers(head), numbers(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
