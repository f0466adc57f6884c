import { Fault } from '../errors/faults.ts'
import { fromHex, toHex } from './hex.ts'
import type { PublicKey } from './public-key.ts'

/**
 * Bytes of an encryption block outside the message: 00 02, at least eight of padding, 00 (PKCS#1
 * v1.5).
 */
const OVERHEAD = 11

/** Returns the size of the modulus and of a block, in bytes. */
const sizeOf = ({ modulus }: PublicKey): number => modulus.length / 2

/**
 * Returns the longest value for a key, in UTF-8 bytes: the value is base64 text before it is
 * encrypted, so a 2048-bit key accepts 183 (observed: RSA encryption of parameters).
 */
export const maxBytes = (key: PublicKey): number => Math.floor((sizeOf(key) - OVERHEAD) / 4) * 3

/**
 * Encrypts one value as the service expects it: base64(RSA PKCS#1 v1.5(base64(UTF-8 bytes))), on
 * one line, always as long as the modulus (specification: Create transaction, Encryption).
 * @throws Fault `field.too_long` over `maxBytes(key)` bytes, `crypto.unavailable` without a secure
 *   random source or big integers
 */
export function encryptValue(value: string, key: PublicKey): string {
  const bytes = new TextEncoder().encode(value)
  const most = maxBytes(key)
  if (bytes.length > most)
    throw new Fault('field.too_long', { facts: { bytes: bytes.length, most } })
  const message = new TextEncoder().encode(btoa(String.fromCharCode(...bytes)))
  const padding = nonZeroBytes(sizeOf(key) - 3 - message.length)
  const power = raise(`02${toHex(padding)}00${toHex(message)}`, key)
  return btoa(fromHex(power.toString(16).padStart(key.modulus.length, '0')))
}

/**
 * Raises the block to the key's exponent modulo its modulus: RSA itself. BigInt is called by name:
 * its literals would keep old browsers from parsing the library at all.
 * @throws Fault `crypto.unavailable` in browsers from before 2020
 */
function raise(block: string, { modulus, exponent }: PublicKey): bigint {
  if (typeof BigInt === 'undefined') throw new Fault('crypto.unavailable', { why: 'integers' })
  const [base, limit] = [block, modulus].map((digits) => BigInt(`0x${digits}`)) as [bigint, bigint]
  let power = base
  for (const bit of exponent.toString(2).slice(1)) {
    power = (power * power) % limit
    if (bit === '1') power = (power * base) % limit
  }
  return power
}

/**
 * Returns random bytes, only from the browser's secure source.
 * @throws Fault `crypto.unavailable` if there is none
 */
export function randomBytes(count: number): Uint8Array {
  try {
    return crypto.getRandomValues(new Uint8Array(count))
  } catch (cause) {
    throw new Fault('crypto.unavailable', { why: 'random', cause })
  }
}

/** Returns random bytes without zeros: a zero would end the padding. */
function nonZeroBytes(count: number): Uint8Array {
  const bytes = randomBytes(count)
  for (let index = 0; index < count; index++) {
    while (!bytes[index]) bytes[index] = randomBytes(1)[0] || 0
  }
  return bytes
}
