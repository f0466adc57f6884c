import type { Merchant } from '../domain/merchant.ts'
import { parseAmount } from '../domain/money.ts'
import type { Parameters } from '../domain/parameters.ts'
import { maskedPaymentRequest } from '../domain/payment-request.ts'
import { hrefToken } from '../domain/references.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { insertLogEvents } from '../storage/log-events.ts'
import type { Queries } from '../storage/schema.ts'
import { NO_PARTS } from '../storage/transaction-parts.ts'
import { type ClientFacts, insertTransaction, type NewTransactionRow } from '../storage/transactions.ts'
import { insertWebhooks } from '../storage/webhooks.ts'
import type { Charge } from './charge.ts'
import { chargedStep, createdStep, logEventRows } from './log-events.ts'
import { type NewTransaction, readNewTransaction } from './new-transaction.ts'
import { pay } from './pay.ts'
import type { PaymentResult, Payments } from './payments.ts'
import { paymentRefTaken, paymentRefusal } from './refusals.ts'
import { repeatedAttempt } from './repeated.ts'
import { checkRequestHash } from './request-hash.ts'
import { settle } from './settle.ts'
import { ownerOfNewCard } from './store-card.ts'
import { orderColumns, orderedSubscription, subscriptionNote } from './subscribe.ts'
import { webhookRows } from './webhook-rows.ts'

/**
 * Creates a transaction and, unless process is false, pays it (specification: Create transaction).
 * A request that is refused before the bank is asked leaves nothing behind; a payment that the bank refuses is kept as
 * declined or failed (our decision).
 * @throws GatewayError: errors of the hash, of `readNewTransaction`, of `pay`, errors.payment_ref.processed (146)
 */
export async function createTransaction(
  payments: Payments,
  merchant: Merchant,
  parameters: Parameters,
  client: ClientFacts,
): Promise<PaymentResult> {
  const { hash, notes } = checkRequestHash(merchant, parameters)
  const wanted = readNewTransaction(parameters, payments.addresses, merchant.settings)
  const row = newRow(payments, merchant, wanted, parameters, hash, client)
  try {
    const result = await payments.database.write((queries) =>
      write(payments, queries, merchant, wanted, parameters, row),
    )
    return { ...result, notes: [...notes, ...result.notes] }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const repeated = await repeatedAttempt(payments, merchant, wanted.attempt, hash)
    if (repeated) return { ...repeated, notes }
    throw paymentRefTaken(error)
  }
}

async function write(
  payments: Payments,
  queries: Queries,
  merchant: Merchant,
  wanted: NewTransaction,
  parameters: Parameters,
  prepared: NewTransactionRow,
): Promise<PaymentResult> {
  const now = payments.ambient.now()
  const ordered = await orderedSubscription(queries, prepared, now)
  const charged = wanted.process ? await pay(payments, queries, merchant, wanted, parameters) : undefined
  const row = await insertTransaction(queries, {
    ...prepared,
    customer_id: await customerIdOf(queries, prepared, charged, now),
    ...(charged?.changes as Partial<NewTransactionRow> | undefined),
  })
  const settled = charged ? await settle(payments, queries, row, charged, ordered) : { row, steps: [] }
  const steps = [createdStep(wanted.process), ...(charged ? [chargedStep(charged)] : []), ...settled.steps]
  const logEvents = await insertLogEvents(queries, logEventRows(row.id, steps, now))
  const webhooks = await insertWebhooks(queries, webhookRows(row, wanted.webhooks, now))
  const note = subscriptionNote(ordered, settled.row)
  return {
    row: settled.row,
    parts: { ...NO_PARTS, logEvents, webhooks },
    refusal: paymentRefusal(charged?.refusal),
    notes: note === undefined ? [] : [note],
  }
}

/** The customer of a new transaction: the one it names, or the owner of the card that it will store. */
async function customerIdOf(
  queries: Queries,
  prepared: NewTransactionRow,
  charged: Charge | undefined,
  now: number,
): Promise<number | null> {
  const { merchant_id, customer_ref } = prepared
  if (customer_ref) return (await findOrCreateCustomer(queries, merchant_id, customer_ref, now)).id
  return ownerOfNewCard(queries, prepared, charged, now)
}

function newRow(
  { ambient }: Payments,
  merchant: Merchant,
  wanted: NewTransaction,
  parameters: Parameters,
  hash: string,
  client: ClientFacts,
): NewTransactionRow {
  const now = ambient.now()
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
    href_token: hrefToken(ambient.randomBytes),
    attempt: wanted.attempt ?? null,
    mpi_ref: null,
    provider_ref: null,
    request_hash: hash,
    org_auth_amount: null,
    metadata: wanted.metadata ?? null,
    items: wanted.items ?? null,
    payment_details: wanted.paymentDetails ?? null,
    payment_request: maskedPaymentRequest(parameters),
    payment_response: null,
    client,
    ...orderColumns(parameters, now),
    processed_at: null,
    created_at: now,
    updated_at: now,
  }
}
