import { GatewayError } from '../domain/errors/errors.ts'
import { formatAmount, type Hundredths, hundredths } from '../domain/money/money.ts'
import { STATES } from '../domain/order/states.ts'
import { record } from '../events/record.ts'
import { insertCapture } from '../storage/captures.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { type TransactionRecord, withItsParts } from '../storage/transaction-parts.ts'
import type { OpenWork, Work } from '../storage/work.ts'
import { change } from './change.ts'
import type { CaptureTransaction } from './commands.ts'
import { transactionNotFound } from './refusals.ts'
import { readCapturedAmount } from './taken-amount.ts'

/**
 * Takes reserved money, all of it or less (specification: Capture). `amount` becomes what was captured, the authorized
 * number stays in `org_auth_amount`. The amount is looked at before the transaction (observed: 8.4).
 * @throws errors.amount.invalid (109), errors.transaction.not_found (128), errors.transaction.processed (153),
 * errors.transaction.locked (1531), errors.reservation.not_approved (155), errors.amount.excess (134)
 */
export async function captureTransaction(work: OpenWork, command: CaptureTransaction): Promise<TransactionRecord> {
  readCapturedAmount(command.amount, 'sek')
  return work.write((steps) => write(steps, command))
}

async function write(work: Work, command: CaptureTransaction): Promise<TransactionRecord> {
  const { queries, merchant, now } = work
  const read = await findRow(queries, 'transactions', merchant.id, command.id)
  if (!read) throw transactionNotFound()
  const { refunds } = (await withItsParts(queries, read)).parts
  const amount = readCapturedAmount(command.amount, read.currency)
  refuseCapture(read, refunds.length > 0, amount)
  const changes = {
    status: 'approved',
    amount,
    amount_text: formatAmount(amount),
    processed_at: now,
    updated_at: now,
  } as const
  const row = await change(work, read, changes)
  await insertCapture(queries, { merchant_id: merchant.id, transaction_id: row.id, amount, created_at: now })
  return record(work, row, [{ event: 'captured', amount: changes.amount_text }])
}

function refuseCapture(read: TransactionRow, voided: boolean, amount: Hundredths) {
  if (!STATES[read.status].capturable) {
    const taken = read.status === 'approved' || read.status === 'capture pending'
    throw new GatewayError(taken ? STATES[read.status].refusal : 'errors.reservation.not_approved', {
      explain: `The transaction is ${read.status}; only an authorized one can be captured`,
    })
  }
  if (voided)
    throw new GatewayError('errors.reservation.not_approved', { explain: 'The reservation was released by a refund' })
  const authorized = read.org_auth_amount ?? hundredths(0)
  if (amount > authorized)
    throw new GatewayError('errors.amount.excess', {
      explain: `At most the authorized ${formatAmount(authorized)} can be captured`,
    })
}
