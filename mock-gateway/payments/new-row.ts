import { hrefToken } from '../domain/identifiers.ts'
import { parseAmount } from '../domain/money/money.ts'
import type { NewTransactionRow } from '../storage/tables/transactions.ts'
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
    merchant_id: merchant.id,
    amount: amount.ok ? amount.value : null,
    amount_text: wanted.amount,
    vat_amount: wanted.vatAmount ?? null,
    currency: wanted.currency,
    payment_ref: wanted.paymentRef,
    customer_ref: wanted.customerRef ?? null,
    customer_id: null,
    stored_card_id: null,
    subscription_id: null,
    template_id: wanted.templateId ?? null,
    card_holder: null,
    card_number: null,
    card_expiry: null,
    card_type: null,
    test: wanted.test,
    authorize: wanted.authorize,
    store_card: wanted.storeCard,
    status: 'pending',
    status_details: null,
    error_name: null,
    error_message: null,
    transaction_type: null,
    payment_method: wanted.paymentMethod,
    success_url: wanted.successUrl ?? null,
    error_url: wanted.errorUrl ?? null,
    href_token: hrefToken(randomBytes, now),
    attempt: wanted.attempt ?? null,
    mpi_ref: null,
    provider_ref: null,
    request_hash: wanted.hash || null,
    org_auth_amount: null,
    metadata: wanted.metadata ?? null,
    items: wanted.items ?? null,
    payment_details: wanted.paymentDetails ?? null,
    payment_request: wanted.paymentRequest,
    payment_response: null,
    client: wanted.client,
    ...orderColumns(wanted.order),
    payment_link_id: wanted.paymentLinkId ?? null,
    wallet_type: null,
    currency_converter: null,
    expires_at: expiryFrom(merchant.settings, now),
    processed_at: null,
    created_at: now,
    updated_at: now,
  }
}
