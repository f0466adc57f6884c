import { Fault } from '../errors/faults.ts'

export interface PublicKey {
  /** Hexadecimal, two digits for each byte, without leading zeros. */
  modulus: string
  /** Odd, at least 3, below 2^32. */
  exponent: number
}

/** Minimum size of the modulus, in bits (our decision: shorter keys are rejected). */
const MINIMUM_BITS = 2048

/**
 * Reads a PEM public key, SubjectPublicKeyInfo ("PUBLIC KEY") or PKCS#1 ("RSA PUBLIC KEY").
 * @throws Fault `config.public_key_invalid` when it is neither, `config.public_key_weak` below 2048
 *   bits
 */
export function readPublicKey(pem: string): PublicKey {
  const key = parsePem(pem)
  if (!key) throw new Fault('config.public_key_invalid')
  const bits = key.modulus.length * 4 - Math.clz32(toNumber(key.modulus.slice(0, 2))) + 24
  if (bits < MINIMUM_BITS) {
    throw new Fault('config.public_key_weak', { facts: { bits, least: MINIMUM_BITS } })
  }
  return key
}

function parsePem(pem: string): PublicKey | undefined {
  try {
    const [, body = ''] = /PUBLIC KEY-----([^-]+)-----END/.exec(pem) || []
    // happy-dom, which shops use for tests, has an atob that accepts no blanks.
    const [number, power, ...others] = listIntegers(
      toHex(Uint8Array.from(atob(body.replace(/\s/g, '')), (each) => each.charCodeAt(0))),
    )
    if (!number || !power || others.length) return undefined
    const modulus = number.replace(/^(00)+/, '')
    const exponent = toNumber(power)
    // Every real key has an odd modulus and a small odd exponent, which the arithmetic requires.
    const isUsable =
      toNumber(modulus.slice(-2)) % 2 && exponent % 2 && exponent > 2 && exponent < 2 ** 32
    return isUsable ? { modulus, exponent } : undefined
  } catch {
    return undefined
  }
}

/** rsaEncryption, 1.2.840.113549.1.1.1, as DER content octets. */
const RSA_ENCRYPTION = '2a864886f70d010101'

/**
 * Returns all INTEGERs of DER in order, including those inside SEQUENCEs and BIT STRINGs, in
 * hexadecimal.
 * @returns none if the text is not DER or names another algorithm than RSA
 */
function listIntegers(der: string): string[] {
  const integers: string[] = []
  for (let rest = der; rest; ) {
    const tag = rest.slice(0, 2)
    const form = toNumber(rest.slice(2, 4))
    const start = form > 127 ? form * 2 - 252 : 4
    const end = start + 2 * (form > 127 ? toNumber(rest.slice(4, start)) : form)
    const content = rest.slice(start, end)
    const isOther = tag === '06' && content !== RSA_ENCRYPTION
    if (isOther || !(end <= rest.length)) return []
    if (tag === '02') integers.push(content)
    // Continues inside the value; a BIT STRING begins with an additional byte.
    rest = rest.slice(tag === '30' ? start : tag === '03' ? start + 2 : end)
  }
  return integers
}

const toNumber = (digits: string): number => Number.parseInt(digits, 16)

/** Bytes of a block besides the message: 00 02, at least eight random ones, 00 (PKCS#1 v1.5). */
const OVERHEAD = 11

/** Returns the size of the modulus and of a block, in bytes. */
const getSize = ({ modulus }: PublicKey): number => modulus.length / 2

/**
 * Returns the longest value for a key, in UTF-8 bytes: the value is base64 text before it is
 * encrypted, so a 2048-bit key accepts 183 (observed: RSA encryption of parameters).
 */
export const maxBytes = (key: PublicKey): number => Math.floor((getSize(key) - OVERHEAD) / 4) * 3

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
  const padding = drawNonZeroBytes(getSize(key) - 3 - message.length)
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
function drawNonZeroBytes(count: number): Uint8Array {
  const bytes = randomBytes(count)
  for (let index = 0; index < count; index++) {
    while (!bytes[index]) bytes[index] = randomBytes(1)[0] || 0
  }
  return bytes
}

/** Converts bytes to lower-case hexadecimal text. */
export function toHex(bytes: Iterable<number>): string {
  let digits = ''
  for (const byte of bytes) digits += (byte + 256).toString(16).slice(1)
  return digits
}

/** Converts hexadecimal text to bytes, each as a character for `btoa`. */
const fromHex = (digits: string): string =>
  digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
