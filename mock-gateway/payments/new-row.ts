import { hrefToken } from '../domain/identifiers.ts'
import { parseAmount } from '../domain/money/money.ts'
import { EMPTY_TRANSACTION, type NewTransactionRow } from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'
import type { CreateTransaction } from './commands.ts'
import { expiryFrom } from './on-page.ts'
import { orderColumns } from './subscribe.ts'

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
