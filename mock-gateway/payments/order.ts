import { hrefToken } from '../domain/identifiers.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Currency } from '../domain/money/currencies.ts'
import { parseAmount } from '../domain/money/money.ts'
import type { Order } from '../domain/order/check-order.ts'
import {
  EMPTY_TRANSACTION,
  type NewTransactionRow,
  type TransactionRow,
} from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'
import type { CreateTransaction } from './commands.ts'
import { expiryFrom } from './on-page.ts'
import { orderColumns } from './subscribe.ts'

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
export const pickOrder = (row: NewTransactionRow | TransactionRow): PayableOrder => ({
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

/** Creates the row of a transaction that has not been charged. */
export function newRow(
  { merchant, now, randomBytes }: Work,
  wanted: CreateTransaction,
): NewTransactionRow {
  const amount = parseAmount(wanted.amount)
  return {
    ...EMPTY_TRANSACTION,
    ...wanted.stored,
    merchant_id: merchant.id,
    amount: amount.ok ? amount.value : null,
    amount_text: wanted.amount,
    currency: wanted.currency,
    payment_ref: wanted.paymentRef,
    customer_ref: wanted.customerRef ?? null,
    template_id: wanted.templateId ?? null,
    test: wanted.test,
    authorize: wanted.authorize,
    store_card: wanted.storeCard,
    status: 'pending',
    payment_method: wanted.paymentMethod,
    success_url: wanted.successUrl ?? null,
    error_url: wanted.errorUrl ?? null,
    href_token: hrefToken(randomBytes, now),
    attempt: wanted.attempt ?? null,
    request_hash: wanted.hash || null,
    metadata: wanted.metadata ?? null,
    items: wanted.items ?? null,
    payment_details: wanted.paymentDetails ?? null,
    payment_request: wanted.paymentRequest,
    client: wanted.client,
    ...orderColumns(wanted.order),
    payment_link_id: wanted.paymentLinkId ?? null,
    expires_at: expiryFrom(merchant.settings, now),
    created_at: now,
    updated_at: now,
  }
}
