import { GatewayError, getEntryByKey } from '../domain/errors/errors.ts'
import type { Currency } from '../domain/money/currencies.ts'
import {
  formatAmount,
  type Hundredths,
  hundredths,
  requirePayableAmount,
} from '../domain/money/money.ts'
import { readCaptureInstructions } from '../domain/order/metadata.ts'
import { STATES } from '../domain/order/states.ts'
import { type RecordedTransaction, record } from '../outbox/record.ts'
import { deleteRows, findRow, insertRows } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { CaptureTransaction } from './commands.ts'
import { change } from './finish.ts'
import { createAmountError, createNotFoundError } from './refusals.ts'

/**
 * Captures a reserved amount, in full or in part (specification: Capture). `amount` becomes the
 * captured amount, and `org_auth_amount` keeps the authorized one. Checks the amount before the
 * transaction (observed: 8.4). If the bank takes time, the transaction is `capture pending` until
 * it answers (decision 89).
 * @throws errors.amount.invalid (109), errors.transaction.not_found (128),
 * errors.transaction.processed (153), errors.transaction.locked (1531),
 * errors.reservation.not_approved (155), errors.amount.excess (134)
 */
export async function captureTransaction(
  work: OpenWork,
  command: CaptureTransaction,
): Promise<RecordedTransaction> {
  readCapturedAmount(command.amount, 'sek')
  return work.write((steps) => write(steps, command))
}

async function write(work: Work, command: CaptureTransaction): Promise<RecordedTransaction> {
  const { queries, merchant, now } = work
  const transaction = await findRow(queries, 'transactions', merchant.id, command.id)
  if (!transaction) throw createNotFoundError()
  const { refunds } = (await loadRecord(queries, transaction)).parts
  const amount = readCapturedAmount(command.amount, transaction.currency)
  refuseCapture(transaction, refunds.length > 0, amount)
  const { seconds, outcome } = await answerToCapture(work, transaction)
  if (seconds === 0) return takeMoney(work, transaction, amount)
  const row = await change(work, transaction, { status: 'capture pending', updated_at: now })
  const answer = { amount, outcome, answer_at: now + seconds * 1000 }
  await insertRows(queries, 'pending_captures', [
    {
      merchant_id: merchant.id,
      transaction_id: row.id,
      ...answer,
    },
  ])
  work.afterCommit(() => work.observer.onDue())
  return record(work, row, [{ event: 'capture_sent', amount: formatAmount(amount) }])
}

/**
 * How the bank answers: as the payment's own metadata ask, as was set for the next captures, else
 * by the setting.
 */
const answerToCapture = async (
  { queries, merchant, nextOutcomes }: Work,
  { test, metadata }: TransactionRow,
) =>
  (test ? readCaptureInstructions(metadata) : undefined) ??
  (await nextOutcomes?.take(queries, merchant.id, 'capture')) ?? {
    outcome: 'approved' as const,
    seconds: merchant.settings.capture_seconds,
  }

async function takeMoney(
  work: Work,
  transaction: TransactionRow,
  amount: Hundredths,
): Promise<RecordedTransaction> {
  const { queries, merchant, now } = work
  const amount_text = formatAmount(amount)
  const taken = {
    status: 'approved',
    amount,
    amount_text,
    processed_at: now,
    updated_at: now,
  } as const
  const row = await change(work, transaction, taken)
  await insertRows(queries, 'captures', [
    {
      merchant_id: merchant.id,
      transaction_id: row.id,
      amount,
      created_at: now,
    },
  ])
  return record(work, row, [{ event: 'captured', amount: amount_text }])
}

/**
 * Applies the bank's answer to a slow capture.
 * @returns undefined if it was applied before
 */
export const answerCapture = (
  { write }: OpenWork,
  id: number,
): Promise<TransactionRow | undefined> =>
  write(async (work) => {
    const { queries, merchant, now } = work
    const [capture] = await deleteRows(queries, 'pending_captures', { transaction_id: id })
    const transaction = capture && (await findRow(queries, 'transactions', merchant.id, id))
    if (!transaction) return undefined
    if (capture.outcome === 'approved')
      return (await takeMoney(work, transaction, capture.amount)).row
    const error = getEntryByKey(capture.outcome).name
    const refused = { status_details: error, error_name: capture.outcome, error_message: null }
    // No money was taken, so nothing is left of the reservation.
    const { three_d_secure } = transaction.payment_response ?? {}
    const payment_response = {
      result: 'failed',
      error,
      ...(three_d_secure !== undefined && { three_d_secure }),
    }
    const unpaid = { processed_at: null, provider_ref: null, payment_response }
    const row = await change(work, transaction, {
      status: 'failed',
      ...refused,
      ...unpaid,
      updated_at: now,
    })
    return (await record(work, row, [{ event: 'capture_failed', status: 'failed', error }])).row
  })

function refuseCapture(read: TransactionRow, voided: boolean, amount: Hundredths) {
  if (!STATES[read.status].capturable) {
    const taken = read.status === 'approved' || read.status === 'capture pending'
    throw new GatewayError(
      taken ? STATES[read.status].refusal : 'errors.reservation.not_approved',
      {
        explain: `The status of the transaction is ${read.status}. Only an authorized transaction can be captured.`,
      },
    )
  }
  if (voided)
    throw new GatewayError('errors.reservation.not_approved', {
      explain: 'A refund has released the reservation, so nothing can be captured.',
    })
  const authorized = read.org_auth_amount ?? hundredths(0)
  if (amount > authorized)
    throw new GatewayError('errors.amount.excess', {
      explain: `At most the authorized amount of ${formatAmount(authorized)} can be captured.`,
    })
}

/**
 * Reads the amount of a capture. Every mistake is rejected with the same error, also a missing
 * amount (specification: Capture; observed: 8.4).
 * @throws errors.amount.invalid (109)
 */
function readCapturedAmount(sent: string | undefined, currency: Currency): Hundredths {
  try {
    return requirePayableAmount(sent, currency)
  } catch (error) {
    throw error instanceof GatewayError ? createAmountError(error) : error
  }
}
