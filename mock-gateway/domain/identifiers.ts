import type { Ambient } from './ambient.ts'
import { hasControlCharacters, isLongerThan } from './characters.ts'
import { GatewayError } from './errors/errors.ts'

type RandomBytes = Ambient['randomBytes']

/**
 * Maximum length of payment_ref in the API; the browser library warns above 12 (our decision,
 * observed: 2.3).
 */
const PAYMENT_REF_LENGTH = 64

/** Maximum length of payment_ref in the browser library's documents (specification: Limits). */
export const PAYMENT_REF_OF_PAGES = 12

/** Maximum length of customer_ref (our decision). */
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
 * Reads the merchant's id of a customer; missing and empty mean none.
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
 * Joins the current second and random bytes (decision 115). Neighbouring keys share an index page,
 * so a new row changes only recent pages.
 * @param now epoch milliseconds of any year: the last 32 bits of its second are used
 */
export function prefixSecond(now: number, random: Uint8Array): Buffer {
  const second = Buffer.alloc(4)
  second.writeUInt32BE(Math.floor(now / 1000) >>> 0)
  return Buffer.concat([second, random])
}

/**
 * Secret part of a payment page's address, 22 URL-safe characters (observed: 1.2). @param now as
 * for `prefixSecond`
 */
export const createHrefToken = (randomBytes: RandomBytes, now: number): string =>
  prefixSecond(now, randomBytes(12)).toString('base64url')

/**
 * Returns true if a text can be the secret part of a payment page's address, so a lookup is
 * worthwhile.
 */
export const isHrefToken = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text)

/**
 * Reads the id of one attempt to pay: 16 to 64 URL-safe characters; other values count as missing.
 * The browser library sends 128 bits in hexadecimal; the range leaves room for other clients (our
 * decision).
 */
export function readAttempt(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z0-9_-]{16,64}$/.test(text) ? text : undefined
}

/**
 * Token of a stored card: 128 random bits in 32 hexadecimal characters, so that it cannot be
 * guessed (our decision).
 */
export const createStoredCardToken = (randomBytes: RandomBytes): string =>
  Buffer.from(randomBytes(16)).toString('hex')

/**
 * Reads an id: decimal digits without sign, leading zero or exponent, up to 2^53 - 1; otherwise
 * undefined.
 */
export function readId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/**
 * Highest id that a request can assign. New ids follow the highest one: after JavaScript's largest
 * integer no row could be created, and clients store ids in 32 bits (our decision).
 */
export const LAST_ID = 2 ** 31 - 1

/** Letters and digits that are hard to confuse when typed: 32, so that each encodes five bits. */
const TYPEABLE = '23456789abcdefghijkmnpqrstuvwxyz'

/** End of the short address of a payment link: 60 random bits in 12 characters (our decision). */
export const createLinkToken = (randomBytes: RandomBytes): string =>
  [...randomBytes(12)].map((byte) => TYPEABLE[byte % TYPEABLE.length]).join('')

/** Returns true if a text can be the end of a payment link's address, so a lookup is worthwhile. */
export const isLinkToken = (text: string): boolean => /^[2-9a-kmnp-z]{12}$/.test(text)
