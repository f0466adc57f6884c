import { isIPv4, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createBlockList, findWrappedAddress } from '../domain/webhook/addresses.ts'

const LOOPBACK = createBlockList(['127.0.0.0/8', '::1/128'])

/**
 * Returns true if two addresses belong to the same machine, as far as is known: all of this
 * machine's do.
 */
export function isSameMachine(one: string, other: string): boolean {
  const [a, b] = [unwrapped(one), unwrapped(other)]
  return a === b || (isOurs(a) && isOurs(b))
}

const unwrapped = (address: string) =>
  isIPv6(address) ? (findWrappedAddress(address) ?? address.replace(/%.*$/s, '')) : address

const isOurs = (address: string): boolean =>
  LOOPBACK.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ||
  Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address))
