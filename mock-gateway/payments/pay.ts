import type { Currency } from '../domain/currencies.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Merchant } from '../domain/merchant.ts'
import { payableAmount } from '../domain/money.ts'
import type { Parameters } from '../domain/parameters.ts'
import { type Order, PAYMENT_METHODS } from '../domain/payment-methods.ts'
import type { Queries } from '../storage/schema.ts'
import { type Charge, charge } from './charge.ts'
import { readMeans } from './means.ts'
import type { Payments } from './payments.ts'

/** What is to be paid, and how. */
export interface PayableOrder extends Order {
  readonly currency: Currency
  readonly authorize: boolean
  readonly test: boolean
  readonly metadata: JsonObject | undefined
  readonly storeCard: boolean
  /** The plan that is subscribed to by paying. */
  readonly planId: number | undefined
}

/**
 * Processes a transaction, new or known: a card is charged, a credit check reserves the amount of an invoice, and of the
 * other methods the payer is asked. Nothing is written here.
 * @throws errors.amount.* (specification: amount rules) and what `readMeans` throws
 */
export async function pay(
  { ambient }: Payments,
  queries: Queries,
  merchant: Merchant,
  order: PayableOrder,
  parameters: Parameters,
): Promise<Charge> {
  const means = await readMeans(queries, merchant, order, parameters, ambient.now())
  const { test, metadata = null, storeCard, currency, paymentMethod } = order
  const amount = payableAmount(order.amount, currency)
  // Of an invoice the money comes later: capturing it sends it (specification: States, credit check done).
  const authorize = order.authorize || PAYMENT_METHODS[paymentMethod].answeredBy === 'credit check'
  return charge({ merchant, means, amount, authorize, test, metadata, storeCard }, ambient)
}
