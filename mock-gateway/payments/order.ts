import type { JsonObject } from '../domain/json.ts'
import type { Currency } from '../domain/money/currencies.ts'
import type { Order } from '../domain/order/check-order.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'

/** An order with its payment method. */
export interface PayableOrder extends Order {
  readonly currency: Currency
  /** True reserves the amount, false takes it. */
  readonly authorize: boolean
  readonly test: boolean
  readonly metadata: JsonObject | null
  /** True if the card is to be stored. */
  readonly storeCard: boolean
  readonly customerRef: string | undefined
  /** The plan that the payment subscribes to. */
  readonly planId: number | undefined
}

/** Returns the order of a transaction, new or stored. */
export const orderOf = (row: NewTransactionRow | TransactionRow): PayableOrder => ({
  paymentMethod: row.payment_method,
  amount: row.amount_text,
  currency: row.currency,
  authorize: row.authorize,
  test: row.test,
  metadata: row.metadata ?? null,
  storeCard: row.store_card,
  customerRef: row.customer_ref ?? undefined,
  planId: row.plan_id ?? undefined,
  items: row.items ?? undefined,
  paymentDetails: row.payment_details ?? undefined,
})
