/** What a shop's server and the payment service say to each other. The secret and the password stay on this side. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** The shop's account with the payment service. */
export interface Merchant {
  readonly id: number
  readonly password: string
  readonly secret: string
}

/** What a payment is for. */
export interface Payment {
  /** The order's number, at most 12 characters. */
  readonly payment_ref: string
  /** Two decimals, e.g. "246.00". */
  readonly amount: string
  readonly currency: string
  readonly test: boolean
}

/** The fields of a transaction that the shop checks. */
export interface Transaction {
  readonly id: number
  readonly payment_ref: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  readonly response_hash: string
}

const md5 = (...parts: readonly (string | number)[]): string => createHash('md5').update(parts.join('')).digest('hex')

/** The `hash` that goes with a new payment: it lets the payer's browser create exactly this transaction and no other. */
export function requestHash({ payment_ref, amount, currency, test }: Payment, merchant: Merchant): string {
  return md5(merchant.id, payment_ref, amount, currency.toLowerCase(), test ? 'test' : '', merchant.secret)
}

/** Whether the payment service made this transaction (`response_hash`), and whether it is the approved payment of `payment`. */
export function pays(transaction: Transaction, payment: Payment, merchant: Merchant): boolean {
  const { payment_ref, amount, status } = transaction
  const currency = String(transaction.currency).toLowerCase()
  const expected = Buffer.from(md5(merchant.id, payment_ref, amount, currency, status, merchant.secret))
  const received = Buffer.from(String(transaction.response_hash))
  return (
    expected.length === received.length &&
    timingSafeEqual(expected, received) &&
    payment_ref === payment.payment_ref &&
    amount === payment.amount &&
    currency === payment.currency.toLowerCase() &&
    status === 'approved'
  )
}

/**
 * Reads from the API of the payment service, e.g. `/v1/transactions/17`.
 * @param base the service's API address
 * @throws Error when it does not answer, or refuses
 */
export async function read<T>(base: string, path: string, { id, password }: Merchant): Promise<T> {
  const authorization = `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`
  const answer = await fetch(base + path, { headers: { authorization }, signal: AbortSignal.timeout(10_000) })
  if (!answer.ok) throw new Error(`The payment service answered ${answer.status} to GET ${path}`)
  return (await answer.json()) as T
}
