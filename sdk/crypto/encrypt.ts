import { Fault } from '../errors/faults.ts'
import { fromHex, toBase64, toHex } from './base64.ts'
import type { PublicKey } from './public-key.ts'

/** Bytes of an encryption block that are not message: 00 02, at least eight of padding, 00 (PKCS#1 v1.5). */
const OVERHEAD = 11

/** Most UTF-8 bytes one value may have under this key: the value is base64 text before it is encrypted, so a
 * 2048-bit key takes 183 (observed: RSA encryption of parameters). */
export const maxBytes = (key: PublicKey): number => Math.floor((key.modulus.length - OVERHEAD) / 4) * 3

/** Encrypts one value as the service expects it: base64(RSA PKCS#1 v1.5(base64(UTF-8 bytes))), on one line, always as
 * long as the modulus (specification: Create transaction, Encryption).
 * @throws Fault `field.too_long` over `maxBytes(key)` bytes, `crypto.unavailable` without a secure random source or big
 * integers */
export function encryptValue(value: string, key: PublicKey): string {
  const bytes = new TextEncoder().encode(value)
  const limit = maxBytes(key)
  if (bytes.length > limit) {
    throw new Fault('field.too_long', { facts: { bytes: bytes.length, most: limit } })
  }
  const size = key.modulus.length
  const message = new TextEncoder().encode(toBase64(bytes))
  const block = new Uint8Array(size)
  block[1] = 2
  block.set(nonZeroBytes(size - 3 - message.length), 2)
  block.set(message, size - message.length)
  return toBase64(
    fromHex(
      raise(block, key)
        .toString(16)
        .padStart(size * 2, '0'),
    ),
  )
}

/** The block, taken for a number, to the key's exponent, modulo its modulus: RSA itself. By the browser's own big integers,
 * called by name: their literals would keep browsers without them from reading the library at all.
 * @throws Fault `crypto.unavailable` in browsers from before 2020 */
function raise(block: Uint8Array, { modulus, exponent }: PublicKey): bigint {
  if (typeof BigInt === 'undefined') throw new Fault('crypto.unavailable', { why: 'integers' })
  const [base, limit] = [block, modulus].map((bytes) => BigInt(`0x${toHex(bytes)}`)) as [bigint, bigint]
  let power = base
  for (const bit of exponent.toString(2).slice(1)) {
    power = (power * power) % limit
    if (bit === '1') power = (power * base) % limit
  }
  return power
}

/** Random bytes from the browser's secure source and from nowhere else.
 * @throws Fault `crypto.unavailable` when there is no such source */
export function randomBytes(count: number): Uint8Array {
  const source: Crypto | undefined = typeof crypto === 'undefined' ? undefined : crypto
  if (typeof source?.getRandomValues !== 'function') {
    throw new Fault('crypto.unavailable', { why: 'random' })
  }
  return source.getRandomValues(new Uint8Array(count))
}

/** Random bytes without zeros: a zero would end the padding. */
function nonZeroBytes(count: number): Uint8Array {
  const bytes = randomBytes(count)
  for (let index = 0; index < count; index++) {
    while (bytes[index] === 0) bytes[index] = randomBytes(1)[0] || 0
  }
  return bytes
}
