import { readPaymentRef } from '../identifiers.ts'
import type { Currency } from '../money/currencies.ts'
import type { Hundredths } from '../money/money.ts'

/**
 * A merchant's offer to every visitor of a payment link (decision 99). Times are epoch
 * milliseconds.
 */
export interface PaymentLinkTerms {
  readonly amount: Hundredths
  readonly currency: Currency
  /** The payments' order id; `{n}` is replaced by the number of the payment. */
  readonly payment_ref: string
  /** Subject of the payment; empty if not set. */
  readonly description: string
  /** Plan to subscribe to by paying. */
  readonly plan_id: number | null
  readonly test: boolean
  readonly success_url: string | null
  readonly error_url: string | null
  /** Expiry, exclusive; null: never. */
  readonly expires_at: number | null
  /** Maximum number of payments; 0: unlimited. */
  readonly uses: number
}

/** Reason why a link accepts no more payments. */
export type LinkEnd = 'closed' | 'expired' | 'used_up'

/**
 * Returns why a link has ended; undefined while it can be paid.
 * @param taken number of payments that are made or in progress
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

/** Placeholder for the payment's number in a payment_ref. */
const NUMBER = '{n}'

/** Highest payment number that a payment_ref must have room for. */
const HIGHEST = 999_999_999

/** Returns true if each payment gets its own payment_ref. */
export const isNumbered = (pattern: string): boolean => pattern.includes(NUMBER)

/** Returns the order id of one payment. @param number from 1 */
export const createNumberedRef = (pattern: string, number: number): string =>
  pattern.replaceAll(NUMBER, String(number))

/**
 * @throws errors.payment_ref.invalid if an order id made from it could be too long, or contains
 *   control characters
 */
export function readRefPattern(pattern: string): string {
  readPaymentRef(createNumberedRef(pattern, HIGHEST))
  return pattern
}
