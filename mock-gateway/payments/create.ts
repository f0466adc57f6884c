import { type ErrorKey, GatewayError } from '../domain/errors/errors.ts'
import { pickTarget, type WebhookRequest } from '../domain/webhook/request.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import { isUniqueViolation } from '../storage/database.ts'
import { findOne } from '../storage/rows.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord, NO_PARTS } from '../storage/transaction-parts.ts'
import { insertTransaction } from '../storage/transactions.ts'
import { insertWebhooks } from '../storage/webhooks.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { charge } from './charge.ts'
import type { Charge } from './charge-by-answer.ts'
import { type CheckedPayment, checkPayment } from './check-payment.ts'
import type { CreateTransaction } from './commands.ts'
import { finish } from './finish.ts'
import { createTransactionRow } from './order.ts'
import { endReplaced, runPaymentSteps } from './payment-steps.ts'
import { createRefTakenError, isPaymentRefTaken } from './refusals.ts'
import type { PaymentOutcome, PaymentResult } from './result.ts'
import { createCardOwner } from './settle-card.ts'

/**
 * Creates a transaction and, unless it is only prepared, pays it (specification: Create
 * transaction). A request that is rejected before the bank is asked stores nothing; a payment that
 * the bank declines is stored as declined or failed (decision 11).
 * @throws the errors of `checkPayment` and `runPaymentSteps`
 */
export async function createTransaction(
  work: OpenWork,
  command: CreateTransaction,
): Promise<PaymentResult> {
  const result = await createOrRepeat(work, command)
  return { ...result, notices: [...command.notices, ...result.notices] }
}

async function createOrRepeat(work: OpenWork, command: CreateTransaction): Promise<PaymentResult> {
  const repeated = await findRepeatedAttempt(work, command)
  if (repeated) return repeated
  const row = createTransactionRow(work, command.columns)
  const request = { ...command, webhooks: command.webhooks.map(pickTarget) }
  try {
    return await runPaymentSteps(work, {
      check: (reading) => checkPayment(reading, row, request),
      commit: (writing, checked) => storeNew(writing, command, row, checked),
    })
  } catch (error) {
    const refusal = isUniqueViolation(error) ? createRefTakenError(error) : error
    // The request that took the payment_ref meanwhile may be the first one of this attempt.
    const first = isPaymentRefTaken(refusal) ? await findRepeatedAttempt(work, command) : undefined
    if (first) return first
    throw refusal
  }
}

/** Charges and stores a new transaction. */
async function storeNew(
  work: Work,
  { columns, process, webhooks, uncovered, form }: CreateTransaction,
  prepared: NewTransactionRow,
  checked: CheckedPayment,
): Promise<PaymentResult> {
  await endReplaced(work, checked)
  const charged = checked.charge && (await charge(work, checked.charge))
  const row = await insertTransaction(work.queries, {
    ...prepared,
    customer_id: await findCustomerId(work, prepared, charged),
    ...(charged?.columns as Partial<NewTransactionRow> | undefined),
  })
  const parts = { ...NO_PARTS, webhooks: await attachWebhooks(work, row, webhooks) }
  const before: readonly PaymentEvent[] = [
    {
      event: 'created',
      process,
      ...(columns.payment_link_id && { payment_link: columns.payment_link_id }),
    },
    ...(uncovered.length > 0 ? [{ event: 'weak_hash', uncovered } as const] : []),
  ]
  return finish(work, row, { charged, ordered: checked.ordered, parts, before, form })
}

/** The webhooks that a request attaches to its transaction. */
const attachWebhooks = (
  { queries, now }: Work,
  row: TransactionRow,
  requests: readonly WebhookRequest[],
) =>
  insertWebhooks(
    queries,
    requests.map((request) => ({
      // One shape for all rows, for the insert cache.
      ...pickTarget(request),
      merchant_id: row.merchant_id,
      transaction_id: row.id,
      response: null,
      request_body: null,
      delivery_id: null,
      created_at: now,
    })),
  )

/**
 * Returns the customer of a new transaction: the customer that the request names, or the owner of
 * the card that it will store.
 */
async function findCustomerId(
  work: Work,
  prepared: NewTransactionRow,
  charged: Charge | undefined,
): Promise<number | null> {
  const { merchant_id, customer_ref } = prepared
  if (customer_ref)
    return (await findOrCreateCustomer(work.queries, merchant_id, customer_ref, work.now)).id
  return createCardOwner(work, prepared, charged)
}

/**
 * Returns the first answer of an attempt that is sent again: browsers repeat a request if the
 * connection breaks before the answer, and the payer must not see an error (our decision).
 * @returns undefined for the first request of an attempt
 * @throws errors.payment_ref.processed (146) if the attempt belongs to another order
 */
async function findRepeatedAttempt(
  { queries, merchant }: Work,
  { columns: { attempt, request_hash = null } }: CreateTransaction,
): Promise<PaymentResult | undefined> {
  if (!attempt) return undefined
  const row = await findOne(queries, 'transactions', { merchant_id: merchant.id, attempt })
  if (!row) return undefined
  if (row.request_hash !== request_hash)
    throw new GatewayError('errors.payment_ref.processed', {
      explain:
        'This mondido_attempt was used for another order. Send a new value for a new attempt.',
    })
  return { ...(await loadRecord(queries, row)), ...readFirstOutcome(row), notices: [] }
}

function readFirstOutcome({ status, error_name, error_message }: TransactionRow): PaymentOutcome {
  if (status === 'declined' || status === 'failed')
    return {
      kind: status,
      refusal: createFirstRefusal(error_name ?? 'errors.payment.failed', error_message),
    }
  if (status === 'pending') return { kind: 'pending' }
  return { kind: status === '3ds pending' ? 'challenge' : 'approved' }
}

const createFirstRefusal = (key: ErrorKey, message: string | null) =>
  new GatewayError(key, {
    description: message ?? undefined,
    explain:
      'This is the answer to the first request with this mondido_attempt. Send a new value for a new attempt.',
  })
