import { isLongerThan } from '../domain/characters.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import type { Currency } from '../domain/money/currencies.ts'
import { formatAmount, type Hundredths, requirePayableAmount } from '../domain/money/money.ts'
import { calculateLeftToRefund, STATES } from '../domain/order/states.ts'
import { record } from '../outbox/record.ts'
import { findRow, insertRow } from '../storage/rows.ts'
import type { RefundRow } from '../storage/tables/payment-parts.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { CreateRefund } from './commands.ts'
import { change } from './finish.ts'
import { createAmountError, createNotFoundError } from './refusals.ts'

/** Longest reason, in characters (specification: Limits). */
const REASON_LENGTH = 255

/**
 * Refunds money, or releases the whole reservation (decision 51). Looks up the transaction before
 * it checks the amount (observed: 8.4).
 * @throws errors.transaction.not_found (128), errors.amount.missing (108), errors.amount.invalid
 * (109), errors.reason.missing (132), errors.reason.too_long (199), errors.amount.excess (134),
 * errors.reservation.not_approved (155) if there is nothing to refund yet
 */
export const refundTransaction = (work: OpenWork, command: CreateRefund): Promise<RefundRow> =>
  work.write((steps) => write(steps, command))

async function write(work: Work, command: CreateRefund): Promise<RefundRow> {
  const { queries, merchant, now } = work
  const transaction = await findRow(queries, 'transactions', merchant.id, command.transactionId)
  if (!transaction) throw createNotFoundError()
  const amount = readRefundedAmount(command.amount, transaction.currency)
  const reason = readReason(command.reason)
  const { parts } = await loadRecord(queries, transaction)
  refuseRefund(transaction, parts.refunds, amount)
  // The change of the version makes one of two simultaneous refunds fail.
  await change(work, transaction, { updated_at: now })
  const refund = await insertRow(queries, 'refunds', {
    merchant_id: merchant.id,
    transaction_id: transaction.id,
    amount,
    reason,
    ref: command.ref ?? null,
    created_at: now,
  })
  const refunds = [...parts.refunds, refund]
  await record(work, transaction, [{ event: 'refunded', amount: formatAmount(amount) }], {
    ...parts,
    refunds,
  })
  return refund
}

function refuseRefund(read: TransactionRow, refunds: readonly RefundRow[], amount: Hundredths) {
  if (!STATES[read.status].refundable)
    throw new GatewayError('errors.reservation.not_approved', {
      explain: `The status of the transaction is ${read.status}. Only an approved or authorized transaction can be refunded.`,
    })
  if (read.status === 'authorized') {
    if (refunds.length > 0)
      throw new GatewayError('errors.amount.excess', {
        explain: 'The reservation is already released.',
      })
    return
  }
  const left = calculateLeftToRefund(
    read.amount,
    refunds.map((refund) => refund.amount),
  )
  if (amount > left)
    throw new GatewayError('errors.amount.excess', {
      explain: `At most ${formatAmount(left)} can be refunded.`,
    })
}

/**
 * Reads the amount of a refund. A missing or negative amount has its own error, as when creating
 * (decision 54).
 * @throws errors.amount.missing (108), errors.amount.invalid (109)
 */
function readRefundedAmount(sent: string | undefined, currency: Currency): Hundredths {
  try {
    return requirePayableAmount(sent, currency)
  } catch (error) {
    const isOther = error instanceof GatewayError && error.entry.name !== 'errors.amount.missing'
    throw isOther ? createAmountError(error) : error
  }
}

function readReason(sent: string | undefined): string {
  const reason = sent?.trim()
  if (!reason)
    throw new GatewayError('errors.reason.missing', {
      explain: 'reason is missing. Send the reason for the refund.',
    })
  if (isLongerThan(reason, REASON_LENGTH))
    throw new GatewayError('errors.reason.too_long', {
      explain: `reason may have at most ${REASON_LENGTH} characters.`,
    })
  return reason
}
