import type { Merchant } from '../domain/merchant.ts'
import { flag, isSent, type Parameters } from '../domain/parameters.ts'
import { maskedPaymentRequest } from '../domain/payment-request.ts'
import { STATES } from '../domain/states.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { insertLogEvents } from '../storage/log-events.ts'
import { findRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { withItsParts } from '../storage/transaction-parts.ts'
import { type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import { broughtBy, notPayable, orderOf, readChanges } from './changes.ts'
import type { Charge } from './charge.ts'
import { chargedStep, logEventRows, updatedStep } from './log-events.ts'
import { pay } from './pay.ts'
import { hasCardData } from './payment-card.ts'
import type { PaymentResult, Payments } from './payments.ts'
import { changedMeanwhile, paymentRefTaken, paymentRefusal, transactionNotFound } from './refusals.ts'
import { settle } from './settle.ts'
import { ownerOfNewCard } from './store-card.ts'
import { orderedSubscription, subscriptionNote } from './subscribe.ts'

/** Parameters on which depends whether the ordered plan can be had. */
const OF_THE_PLAN = ['plan_id', 'currency', 'start_date', 'subscription_quantity', 'subscription_items']

/**
 * Changes a transaction and, unless process is false, pays it (specification: Update transaction). One that is already
 * processed is not paid again, and takes only what `readChanges` lets it, with process=false.
 * @throws errors.transaction.not_found (128), errors.transaction.processed (153), errors.transaction.locked (1531),
 * errors.payment_ref.processed (146), and what `readChanges`, `orderedSubscription` and `pay` throw
 */
export async function updateTransactionOf(
  payments: Payments,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<PaymentResult> {
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
  const { payable } = STATES[read.status]
  if (!payable && (process || hasCardData(parameters))) throw notPayable(read)
  const now = payments.ambient.now()
  const changes = await readChanges(queries, merchant, read, parameters, { process, now })
  const changed = { ...read, ...changes } as TransactionRow
  const checksPlan = process || (payable && OF_THE_PLAN.some((name) => isSent(parameters, name)))
  const ordered = checksPlan ? await orderedSubscription(queries, changed, now) : undefined
  const charged = process ? await payKnown(payments, queries, merchant, changed, parameters) : undefined
  const customer_id = await ownerOfNewCard(queries, changed, charged, now)
  const row = await updateTransaction(queries, read, { ...changes, ...charged?.changes, customer_id })
  if (!row) throw changedMeanwhile()
  const settled = charged ? await settle(payments, queries, row, charged, ordered) : { row, steps: [] }
  const steps = [
    updatedStep(broughtBy(parameters, changed)),
    ...(charged ? [chargedStep(charged)] : []),
    ...settled.steps,
  ]
  await insertLogEvents(queries, logEventRows(row.id, steps, now))
  const note = subscriptionNote(ordered, settled.row)
  return {
    ...(await withItsParts(queries, settled.row)),
    refusal: paymentRefusal(charged?.refusal),
    notes: note === undefined ? [] : [note],
  }
}

async function payKnown(
  payments: Payments,
  queries: Queries,
  merchant: Merchant,
  row: TransactionRow,
  parameters: Parameters,
): Promise<Charge> {
  const charged = await pay(payments, queries, merchant, orderOf(row), parameters)
  const payment_request = { ...row.payment_request, ...maskedPaymentRequest(parameters) }
  return { ...charged, changes: { ...charged.changes, payment_request } }
}
