import { Fault } from '../errors/faults.ts'
import { toHex } from './hex.ts'

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
    const [number, power, ...others] = integersOf(
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
function integersOf(der: string): string[] {
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
