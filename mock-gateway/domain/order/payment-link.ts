import { readPaymentRef } from '../identifiers.ts'
import type { Currency } from '../money/currencies.ts'
import type { Hundredths } from '../money/money.ts'

/**
 * What a merchant offers to whoever has the address of a payment link (decision 99). Times are
 * epoch milliseconds.
 */
export interface PaymentLinkTerms {
  readonly amount: Hundredths
  readonly currency: Currency
  /** The order id of its payments; `{n}` is the number of the payment. */
  readonly payment_ref: string
  /** What is paid for; empty is nothing said. */
  readonly description: string
  /** The plan that is subscribed to by paying. */
  readonly plan_id: number | null
  readonly test: boolean
  readonly success_url: string | null
  readonly error_url: string | null
  /** From this moment on nobody can pay; null is never. */
  readonly expires_at: number | null
  /** How many payments it takes; 0 is any number. */
  readonly uses: number
}

/** Why a link takes no payment any more. */
export type LinkEnd = 'closed' | 'expired' | 'used_up'

/**
 * Whether a link has come to its end, and how; undefined while it can be paid.
 * @param taken how many of its payments are made, or under way
 * @param now epoch milliseconds
 */
export function endOfLink(
  {
    uses,
    expires_at,
    closed_at,
  }: Pick<PaymentLinkTerms, 'uses' | 'expires_at'> & { readonly closed_at: number | null },
  taken: number,
  now: number,
): LinkEnd | undefined {
  if (closed_at !== null) return 'closed'
  if (uses > 0 && taken >= uses) return 'used_up'
  return expires_at !== null && expires_at <= now ? 'expired' : undefined
}

/** Where the number of the payment stands in a payment_ref. */
const NUMBER = '{n}'

/** The highest number that a payment_ref has to have room for. */
const HIGHEST = 999_999_999

/** True for a payment_ref that is another one for each payment. */
export const isNumbered = (pattern: string): boolean => pattern.includes(NUMBER)

/** The order id of one payment. @param number from 1 */
export const numberedRef = (pattern: string, number: number): string =>
  pattern.replaceAll(NUMBER, String(number))

/**
 * @throws errors.payment_ref.invalid when an order id made of it could be too long, or has control
 * characters
 */
export function readRefPattern(pattern: string): string {
  readPaymentRef(numberedRef(pattern, HIGHEST))
  return pattern
}
