import type { Ambient } from './ambient.ts'
import { hasControlCharacters, isLongerThan } from './characters.ts'
import { GatewayError } from './errors/errors.ts'

type RandomBytes = Ambient['randomBytes']

/**
 * Longest payment_ref the API takes; the browser library warns above 12 (our decision, observed:
 * 2.3).
 */
const PAYMENT_REF_LENGTH = 64

/** Longest payment_ref that the browser library documents (specification: Limits). */
export const PAYMENT_REF_OF_PAGES = 12

/** Longest customer_ref (our decision). */
const CUSTOMER_REF_LENGTH = 255

/**
 * Reads the merchant's order id.
 * @throws errors.payment_ref.invalid (missing, over 64 characters, control characters)
 */
export function readPaymentRef(text: string | undefined): string {
  if (
    text === undefined ||
    text === '' ||
    isLongerThan(text, PAYMENT_REF_LENGTH) ||
    hasControlCharacters(text)
  ) {
    const explain = `payment_ref must be your order id: 1 to ${PAYMENT_REF_LENGTH} characters without control characters.`
    throw new GatewayError('errors.payment_ref.invalid', { explain })
  }
  return text
}

/**
 * Reads the merchant's id of a customer; unset and empty mean none.
 * @throws errors.customer_ref.invalid (over 255 characters, control characters)
 */
export function readCustomerRef(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (isLongerThan(text, CUSTOMER_REF_LENGTH) || hasControlCharacters(text)) {
    const explain = `customer_ref may have at most ${CUSTOMER_REF_LENGTH} characters, without control characters.`
    throw new GatewayError('errors.customer_ref.invalid', { explain })
  }
  return text
}

/**
 * The second, and what is random (decision 115). What begins alike stands side by side in its
 * index, so that a new one changes no page far away.
 * @param now epoch milliseconds, of any year: of the second its last 32 bits
 */
export function behindSecond(now: number, random: Uint8Array): Buffer {
  const second = Buffer.alloc(4)
  second.writeUInt32BE(Math.floor(now / 1000) >>> 0)
  return Buffer.concat([second, random])
}

/**
 * Secret part of the address of a payment page, in 22 URL-safe characters (observed: 1.2). @param
 * now as for `behindSecond`
 */
export const hrefToken = (randomBytes: RandomBytes, now: number): string =>
  behindSecond(now, randomBytes(12)).toString('base64url')

/**
 * True for what the secret part of a payment page's address can be; nothing else needs looking up.
 */
export const isHrefToken = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text)

/**
 * Reads a page's id of one attempt to pay: 16 to 64 URL-safe characters; anything else counts as
 * none. The browser library sends 128 bits in hexadecimal; room is left for other clients' ids (our
 * decision).
 */
export function readAttempt(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9_-]{16,64}$/.test(text) ? text : undefined
}

/**
 * Token of a stored card: 128 random bits in 32 hexadecimal characters (our decision: not to be
 * guessed).
 */
export const storedCardToken = (randomBytes: RandomBytes): string =>
  Buffer.from(randomBytes(16)).toString('hex')

/**
 * Reads an id: decimal digits without sign, leading zero or exponent, up to 2^53 - 1; undefined for
 * anything else.
 */
export function readId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/**
 * The greatest id that somebody may give a row. Ids count on from the highest: behind one at the
 * end of JavaScript's integers no row could be made, and clients keep ids in 32 bits (our
 * decision).
 */
export const LAST_ID = 2 ** 31 - 1

/**
 * Letters and digits that are not taken for each other when somebody types them: 32, so that five
 * bits are one.
 */
const TYPEABLE = '23456789abcdefghijkmnpqrstuvwxyz'

/** End of the short address of a payment link: 60 random bits in 12 characters (our decision). */
export const linkToken = (randomBytes: RandomBytes): string =>
  [...randomBytes(12)].map((byte) => TYPEABLE[byte % TYPEABLE.length]).join('')

/** True for what the end of a payment link's address can be; nothing else needs looking up. */
export const isLinkToken = (text: string): boolean => /^[2-9a-kmnp-z]{12}$/.test(text)
