import { type Currency, readCurrency } from '../domain/currencies.ts'
import { GatewayError } from '../domain/errors.ts'
import { readItems } from '../domain/items.ts'
import type { Merchant } from '../domain/merchant.ts'
import { mergeMetadata } from '../domain/metadata.ts'
import { parseAmount, payableAmount } from '../domain/money.ts'
import { flag, list, object, type ParameterObject, type Parameters, text } from '../domain/parameters.ts'
import { readPaymentDetails } from '../domain/payment-details.ts'
import { maskedPaymentRequest } from '../domain/payment-request.ts'
import { readCustomerRef } from '../domain/references.ts'
import { STATES } from '../domain/states.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { insertLogEvents, withItsParts } from '../storage/transaction-parts.ts'
import { type TransactionChanges, type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import { type Charge, charge } from './charge.ts'
import { chargedStep, logEventRows, updatedStep } from './log-events.ts'
import { readAmount, readVatAmount } from './new-transaction.ts'
import { readPaymentCard } from './payment-card.ts'
import type { PaymentResult, Payments } from './payments.ts'
import { changedMeanwhile, paymentRefTaken, paymentRefusal, transactionNotFound } from './refusals.ts'
import { checkMerchantId, checkRequestHash } from './request-hash.ts'
import { settleStoredCard } from './store-card.ts'

/** Parameters that decide what is paid: only a transaction that is still to be paid takes them. */
const PAYMENT_PARAMETERS = [
  'amount',
  'vat_amount',
  'currency',
  'items',
  'customer_ref',
  'card_number',
  'card_holder',
  'card_cvv',
  'card_expiry',
] as const

/** What an update may bring; everything else is ignored. */
const UPDATABLE = [...PAYMENT_PARAMETERS, 'metadata', 'payment_details'] as const

/**
 * Changes a transaction and, unless process is false, pays it (specification: Update transaction). One that is already
 * processed takes metadata only, with process=false, and merges it into what it has.
 * @throws errors.transaction.not_found (128), errors.transaction.processed (153), errors.transaction.locked (1531),
 * errors of the hash when one is sent, of the card and of single fields as when creating
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
  const changes = await readChanges(payments, queries, merchant, read, parameters)
  const changed = { ...read, ...changes } as TransactionRow
  const charged = process ? await chargeKnown(payments, queries, merchant, changed, parameters) : undefined
  const row = await updateTransaction(queries, read, { ...changes, ...charged?.changes })
  if (!row) throw changedMeanwhile()
  const now = payments.ambient.now()
  const steps = [
    updatedStep(UPDATABLE.filter((name) => isSent(parameters, name))),
    ...(charged ? [chargedStep(charged)] : []),
  ]
  await insertLogEvents(queries, logEventRows(row.id, steps, now))
  const settled = charged ? await settleStoredCard(payments, queries, row, charged) : row
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
  const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
  if (metadata) changes.metadata = JSON.stringify(mergeMetadata(parse(read.metadata), metadata))
  const details = readPaymentDetails(parameters)
  if (details) changes.payment_details = JSON.stringify({ ...parse(read.payment_details), ...details })
  return changes
}

async function chargeKnown(
  { ambient }: Payments,
  queries: Queries,
  merchant: Merchant,
  row: TransactionRow,
  parameters: Parameters,
): Promise<Charge> {
  const test = row.test === 1
  const card = await readPaymentCard(queries, merchant, parameters, test, ambient.now())
  const amount = payableAmount(row.amount_text, row.currency as Currency)
  const metadata = parse(row.metadata)
  const charged = charge({ merchant, card, amount, authorize: row.authorize === 1, test, metadata }, ambient)
  const payment_request = JSON.stringify({ ...parse(row.payment_request), ...maskedPaymentRequest(parameters) })
  return { ...charged, changes: { ...charged.changes, payment_request } }
}

const isSent = (parameters: Parameters, name: string) => {
  const value = parameters[name]
  return value !== undefined && value !== null && value !== ''
}

const parse = (json: string | null): ParameterObject | null => (json === null ? null : JSON.parse(json))
