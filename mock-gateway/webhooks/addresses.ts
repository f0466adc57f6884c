import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Which addresses may be called. `local`: those of this machine and of private networks as well,
 * because that is where a shop is developed. `strict`: only those of the Internet.
 */
export const ADDRESS_PROFILES = ['local', 'strict'] as const
export type AddressProfile = (typeof ADDRESS_PROFILES)[number]

/**
 * Never called: link-local, multicast, unspecified, broadcast, and where clouds keep what a machine
 * may know.
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

/** What is not reached from everywhere (IANA, special-purpose address registries). */
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

function listOf(prefixes: readonly string[]): BlockList {
  const list = new BlockList()
  for (const prefix of prefixes) {
    const [address = '', bits] = prefix.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

const LISTS = { local: listOf(NEVER), strict: listOf([...NEVER, ...NOT_GLOBAL]) } as const

/** Names under which clouds tell a machine its secrets. */
const METADATA = /^(?:metadata(?:\.google)?(?:\.internal)?|instance-data(?:\.ec2\.internal)?)\.?$/i

/** Whether a name may be looked up at all. */
export const isForbiddenName = (hostname: string): boolean => METADATA.test(hostname)

/**
 * Whether an address must not be called.
 * @param address of IPv4 or IPv6, without brackets; what IPv6 wraps of IPv4 (mapped, NAT64, 6to4,
 *   Teredo) counts as well
 */
export function isForbiddenAddress(address: string, profile: AddressProfile): boolean {
  const list = LISTS[profile]
  if (isIPv4(address)) return list.check(address)
  if (!isIPv6(address)) return true
  const wrapped = wrappedIn(address)
  return list.check(address, 'ipv6') || (wrapped !== undefined && list.check(wrapped))
}

/**
 * The address that stands in a URL instead of a name. @param hostname as URLs have it, IPv6 in
 * brackets
 */
export function addressIn(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) ? address : undefined
}

/**
 * Whether no gateway calls a URL, as far as that shows before a name is looked up: neither profile
 * allows it.
 */
export function isNeverCalled(url: string): boolean {
  const { hostname } = new URL(url)
  const address = addressIn(hostname)
  return address === undefined ? isForbiddenName(hostname) : isForbiddenAddress(address, 'local')
}

const LOOPBACK = listOf(['127.0.0.0/8', '::1/128'])

/** Whether two addresses are one machine's, as far as can be known: all of this machine's are. */
export function isSameMachine(one: string, other: string): boolean {
  const [a, b] = [unwrapped(one), unwrapped(other)]
  return a === b || (isOurs(a) && isOurs(b))
}

const unwrapped = (address: string) =>
  isIPv6(address) ? (wrappedIn(address) ?? address.replace(/%.*$/s, '')) : address

const isOurs = (address: string): boolean =>
  LOOPBACK.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ||
  Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address))

/**
 * The IPv4 address inside of one of IPv6: where its bits stand, and for Teredo that they are turned
 * round.
 */
const WRAPPINGS = [
  { prefix: listOf(['::ffff:0:0/96', '64:ff9b::/96']), at: 6, turned: 0 },
  { prefix: listOf(['2002::/16']), at: 1, turned: 0 },
  { prefix: listOf(['2001::/32']), at: 6, turned: 0xffff },
] as const

function wrappedIn(address: string): string | undefined {
  const wrapping = WRAPPINGS.find(({ prefix }) => prefix.check(address, 'ipv6'))
  if (!wrapping) return undefined
  const words = wordsOf(address).slice(wrapping.at, wrapping.at + 2)
  return words
    .flatMap((word) => [(word ^ wrapping.turned) >> 8, (word ^ wrapping.turned) & 0xff])
    .join('.')
}

/** The eight numbers of an address of IPv6. */
function wordsOf(address: string): readonly number[] {
  // Node writes the last two of some as IPv4.
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
