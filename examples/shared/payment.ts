/**
 * The calls between a shop's server and the payment service. Secret and password stay on the
 * server.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The shop's account with the payment service. */
export interface Merchant {
  readonly id: number
  readonly password: string
  readonly secret: string
}

/** The order that a payment pays. */
export interface Payment {
  /** The order's number, at most 12 characters. */
  readonly payment_ref: string
  /** Two decimals, e.g. "246.00". */
  readonly amount: string
  readonly currency: string
  readonly test: boolean
  /** The shop's own name for the payer; missing for a payer without an account. */
  readonly customer_ref?: string
}

/** The fields of a transaction that the shop checks. */
export interface Transaction {
  readonly id: number
  readonly payment_ref: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  readonly test: boolean
  readonly response_hash: string
}

const md5 = (...parts: readonly (string | number)[]): string =>
  createHash('md5').update(parts.join('')).digest('hex')

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/**
 * Creates an order number of twelve random characters. Anyone who knows an order's number can see
 * the order, so it must be impossible to guess.
 */
export const newReference = (): string =>
  Array.from(randomBytes(12), (byte) => LETTERS[byte % LETTERS.length]).join('')

/**
 * The `hash` that goes with a new payment: it lets the payer's browser create exactly this
 * transaction and no other.
 */
export function requestHash(payment: Payment, { id, secret }: Merchant): string {
  const { payment_ref, customer_ref = '', amount, currency, test } = payment
  return md5(
    id,
    payment_ref,
    customer_ref,
    amount,
    currency.toLowerCase(),
    test ? 'test' : '',
    secret,
  )
}

/** Returns a payment with its hash, as the fields of a form or a call. */
export const signPayment = (payment: Payment, merchant: Merchant) => ({
  ...payment,
  test: String(payment.test),
  merchant_id: String(merchant.id),
  hash: requestHash(payment, merchant),
})

/** The query of `success_url`. It comes from the payer's browser, so nothing in it is proven. */
export interface Returned {
  readonly transaction_id?: string
  readonly payment_ref?: string
  readonly status?: string
  readonly hash?: string
}

/**
 * Whether `received` is the hash that the service makes of a transaction with this payment's
 * number, amount and currency.
 */
function isRightHash(
  received: unknown,
  status: string,
  payment: Payment,
  { id, secret }: Merchant,
): boolean {
  const { payment_ref, customer_ref = '', amount, currency } = payment
  const expected = Buffer.from(
    md5(id, payment_ref, customer_ref, amount, currency.toLowerCase(), status, secret),
  )
  const sent = Buffer.from(String(received))
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}

/**
 * Whether the payment service sent this payer back, and for this payment: another order's answer
 * has another hash.
 */
export const isReturnForOrder = (
  returned: Returned,
  payment: Payment,
  merchant: Merchant,
): boolean =>
  returned.payment_ref === payment.payment_ref &&
  isRightHash(returned.hash, String(returned.status), payment, merchant)

/**
 * Returns true if the payment service made this transaction (`response_hash`), and if it is the
 * approved payment of `payment`. That hash does not cover the test flag, and a payer can change it:
 * do not send goods for a test payment.
 */
export const pays = (transaction: Transaction, payment: Payment, merchant: Merchant): boolean =>
  isRightHash(transaction.response_hash, transaction.status, payment, merchant) &&
  transaction.payment_ref === payment.payment_ref &&
  transaction.amount === payment.amount &&
  String(transaction.currency).toLowerCase() === payment.currency.toLowerCase() &&
  transaction.test === payment.test &&
  transaction.status === 'approved'
