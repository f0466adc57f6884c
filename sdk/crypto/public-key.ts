import { Fault } from '../errors/faults.ts'
import { fromBase64 } from './base64.ts'

/** An RSA public key. */
export interface PublicKey {
  /** Big-endian, without leading zeros. */
  modulus: Uint8Array
  /** Odd, at least 3, below 2^32. */
  exponent: number
}

/** Smallest modulus accepted, in bits (our decision: shorter keys are refused). */
const MINIMUM_BITS = 2048

/** rsaEncryption, 1.2.840.113549.1.1.1, as DER content octets. */
const RSA_ENCRYPTION = '42,134,72,134,247,13,1,1,1'

/** Reads a PEM public key, SubjectPublicKeyInfo ("PUBLIC KEY") or PKCS#1 ("RSA PUBLIC KEY").
 * @throws Fault `config.public_key_invalid` when it is neither, `config.public_key_weak` below 2048 bits */
export function readPublicKey(pem: string): PublicKey {
  const key = parsePem(pem)
  if (!key) throw new Fault('config.public_key_invalid')
  const bits = key.modulus.length * 8 - Math.clz32(key.modulus[0] || 0) + 24
  if (bits < MINIMUM_BITS) {
    throw new Fault('config.public_key_weak', { facts: { bits, least: MINIMUM_BITS } })
  }
  return key
}

function parsePem(pem: string): PublicKey | undefined {
  try {
    const [, body = ''] = /-----BEGIN (?:RSA )?PUBLIC KEY-----([^-]+)-----END/.exec(pem) || []
    const [number, power, ...others] = integersOf(fromBase64(body))
    if (!number || !power || others.length) return undefined
    const modulus = number.subarray(number.findIndex(Boolean))
    const exponent = toNumber(power)
    // Every real key has an odd modulus and a small odd exponent; the arithmetic needs them.
    const isUsable = (modulus[modulus.length - 1] || 0) % 2 && exponent % 2 && exponent > 2 && exponent < 2 ** 32
    return isUsable ? { modulus, exponent } : undefined
  } catch {
    return undefined
  }
}

/** All INTEGERs of DER bytes in order, those inside SEQUENCEs and BIT STRINGs too.
 * @throws RangeError for what is not DER or names another algorithm than RSA */
function integersOf(bytes: Uint8Array): Uint8Array[] {
  if (!bytes.length) return []
  const [tag, form = 0] = bytes
  const start = form > 127 ? form - 126 : 2
  const end = start + (form > 127 ? toNumber(bytes.subarray(2, start)) : form)
  const content = bytes.subarray(start, end)
  if (end > bytes.length || (tag === 6 && content.join() !== RSA_ENCRYPTION)) throw new RangeError('not an RSA key')
  const inside =
    tag === 2 ? [content] : tag === 48 ? integersOf(content) : tag === 3 ? integersOf(content.subarray(1)) : []
  return [...inside, ...integersOf(bytes.subarray(end))]
}

const toNumber = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
