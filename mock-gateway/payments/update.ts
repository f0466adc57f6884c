import type { Item, PaymentMethod } from '../contract/transaction.ts'
import { type Currency, readCurrency } from '../domain/currencies.ts'
import { GatewayError } from '../domain/errors.ts'
import { readItems } from '../domain/items.ts'
import type { Merchant } from '../domain/merchant.ts'
import { mergeMetadata } from '../domain/metadata.ts'
import { parseAmount } from '../domain/money.ts'
import { flag, list, object, type ParameterObject, type Parameters, text } from '../domain/parameters.ts'
import { readPaymentDetails, type SentPaymentDetails } from '../domain/payment-details.ts'
import { checkOrder, PAYMENT_METHODS, readPaymentMethod } from '../domain/payment-methods.ts'
import { maskedPaymentRequest } from '../domain/payment-request.ts'
import { readCustomerRef } from '../domain/references.ts'
import { STATES } from '../domain/states.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { insertLogEvents, withItsParts } from '../storage/transaction-parts.ts'
import { type TransactionChanges, type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
import { chargedStep, logEventRows, updatedStep } from './log-events.ts'
import { readAmount, readVatAmount } from './new-transaction.ts'
import { type PayableOrder, pay } from './pay.ts'
import { hasCardData } from './payment-card.ts'
import type { PaymentResult, Payments } from './payments.ts'
import { changedMeanwhile, paymentRefTaken, paymentRefusal, transactionNotFound } from './refusals.ts'
import { checkMerchantId, checkRequestHash } from './request-hash.ts'
import { settle } from './settle.ts'
import { orderColumns, orderedSubscription } from './subscribe.ts'

/** Parameters that decide what is paid: only a transaction that is still to be paid takes them. */
const PAYMENT_PARAMETERS = [
  'payment_method',
  'swish_number',
  'amount',
  'vat_amount',
  'currency',
  'items',
  'customer_ref',
  'card_number',
  'card_holder',
  'card_cvv',
  'card_expiry',
  'plan_id',
  'start_date',
  'subscription_quantity',
  'subscription_items',
] as const

/** What an update may bring; everything else is ignored. */
const UPDATABLE = [...PAYMENT_PARAMETERS, 'metadata', 'payment_details'] as const

/**
 * Changes a transaction and, unless process is false, pays it (specification: Update transaction). One that is already
 * processed takes metadata only, with process=false, and merges it into what it has.
 * @throws errors.transaction.not_found (128), errors.transaction.processed (153), errors.transaction.locked (1531),
 * errors of the hash when one is sent, and of single fields and of paying as when creating
 */
export async function updateTransactionOf(
  payments: Payments,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<PaymentResult> {
  checkMerchantId(merchant, parameters)
  try {
    return await payments.database.write((queries) => write(payments, queries, merchant, id, parameters))
  } catch (error) {
    throw isUniqueViolation(error) ? paymentRefTaken(error) : error
  }
}

async function write(
  payments: Payments,
  queries: Queries,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<PaymentResult> {
  const read = await findRow(queries, 'transactions', merchant.id, id)
  if (!read) throw transactionNotFound()
  const process = flag(parameters, 'process') ?? true
  refuseProcessed(read, parameters, process)
  const changes = await readChanges(payments, queries, merchant, read, parameters, process)
  const changed = { ...read, ...changes } as TransactionRow
  const checksPlan = process || isSent(parameters, 'plan_id')
  const ordered = checksPlan ? await orderedSubscription(queries, changed, payments.ambient.now()) : undefined
  const charged = process ? await payKnown(payments, queries, merchant, changed, parameters) : undefined
  const row = await updateTransaction(queries, read, { ...changes, ...charged?.changes })
  if (!row) throw changedMeanwhile()
  const now = payments.ambient.now()
  const steps = [
    updatedStep(UPDATABLE.filter((name) => isSent(parameters, name))),
    ...(charged ? [chargedStep(charged)] : []),
  ]
  await insertLogEvents(queries, logEventRows(row.id, steps, now))
  const settled = charged ? await settle(payments, queries, row, charged, ordered) : row
  return { ...(await withItsParts(queries, settled)), refusal: paymentRefusal(charged?.refusal) }
}

/** @throws errors.transaction.processed or .locked when this transaction does not take these parameters any more */
function refuseProcessed(read: TransactionRow, parameters: Parameters, process: boolean) {
  const state = STATES[read.status]
  if (state.payable) return
  const paysOrChanges = process || PAYMENT_PARAMETERS.some((name) => isSent(parameters, name))
  if (!paysOrChanges) return
  throw new GatewayError(state.refusal, {
    explain: `The transaction is ${read.status}; it takes only metadata now, with process=false`,
  })
}

async function readChanges(
  payments: Payments,
  queries: Queries,
  merchant: Merchant,
  read: TransactionRow,
  parameters: Parameters,
  process: boolean,
): Promise<TransactionChanges> {
  const now = payments.ambient.now()
  const known = { paymentRef: read.payment_ref, customerRef: read.customer_ref ?? '', amount: read.amount_text }
  const hash =
    text(parameters, 'hash') === undefined
      ? undefined
      : checkRequestHash(merchant, parameters, { ...known, currency: read.currency, test: read.test === 1 }).hash
  const changes: TransactionChanges = { updated_at: now }
  if (hash !== undefined) changes.request_hash = hash
  if (isSent(parameters, 'amount')) {
    changes.amount_text = readAmount(parameters)
    const amount = parseAmount(changes.amount_text)
    changes.amount = amount.ok ? amount.value : null
  }
  if (isSent(parameters, 'vat_amount')) changes.vat_amount = readVatAmount(parameters) ?? null
  if (isSent(parameters, 'currency')) changes.currency = readCurrency(text(parameters, 'currency'))
  if (isSent(parameters, 'items'))
    changes.items = JSON.stringify(readItems(list(parameters, 'items', 'errors.items.not_array'), { required: false }))
  const customerRef = readCustomerRef(text(parameters, 'customer_ref'))
  if (customerRef !== undefined) {
    changes.customer_ref = customerRef
    changes.customer_id = (await findOrCreateCustomer(queries, merchant.id, customerRef, now)).id
  }
  if (isSent(parameters, 'plan_id')) Object.assign(changes, orderColumns(parameters, now))
  const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
  if (metadata) changes.metadata = JSON.stringify(mergeMetadata(parse(read.metadata) ?? null, metadata))
  const paymentMethod = methodOf(parameters, read, process)
  if (paymentMethod !== read.payment_method) changes.payment_method = paymentMethod
  const sent = readPaymentDetails(parameters, PAYMENT_METHODS[paymentMethod].limits)
  if (sent) changes.payment_details = JSON.stringify({ ...parse(read.payment_details), ...sent })
  if (STATES[read.status].payable) {
    const order = orderOf({ ...read, ...changes } as TransactionRow)
    const details = checkOrder(order, merchant.settings, process)
    if (details !== order.paymentDetails) changes.payment_details = JSON.stringify(details)
  }
  return changes
}

/** Who sends a card pays with it, whatever was chosen before, unless the same request chooses otherwise. */
const methodOf = (parameters: Parameters, read: TransactionRow, process: boolean): PaymentMethod =>
  readPaymentMethod(parameters) ?? (process && hasCardData(parameters) ? 'credit_card' : read.payment_method)

/** The order of a known transaction. */
const orderOf = (row: TransactionRow): PayableOrder => ({
  paymentMethod: row.payment_method,
  amount: row.amount_text,
  currency: row.currency as Currency,
  authorize: row.authorize === 1,
  test: row.test === 1,
  metadata: parse<ParameterObject>(row.metadata),
  items: parse<readonly Item[]>(row.items),
  paymentDetails: parse<SentPaymentDetails>(row.payment_details),
})

async function payKnown(
  payments: Payments,
  queries: Queries,
  merchant: Merchant,
  row: TransactionRow,
  parameters: Parameters,
): Promise<Charge> {
  const charged = await pay(payments, queries, merchant, orderOf(row), parameters)
  const payment_request = JSON.stringify({ ...parse(row.payment_request), ...maskedPaymentRequest(parameters) })
  return { ...charged, changes: { ...charged.changes, payment_request } }
}

const isSent = (parameters: Parameters, name: string) => {
  const value = parameters[name]
  return value !== undefined && value !== null && value !== ''
}

const parse = <Value = ParameterObject>(json: string | null): Value | undefined =>
  json === null ? undefined : JSON.parse(json)
