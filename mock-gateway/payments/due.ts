import { GatewayError } from '../domain/errors/errors.ts'
import { record } from '../outbox/record.ts'
import type { DoDueWork } from '../scheduler/due.ts'
import type { DueKind } from '../storage/due.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { OpenWork } from '../work/work.ts'
import { answerPayment } from './answer.ts'
import { endAuthentication } from './authentication/end.ts'
import { answerCapture } from './capture.ts'
import { isAwaitingPayer, isPageExpired } from './on-page.ts'

/** Due work of payments. Each function returns undefined if nothing was left to do. */
export const DUE_PAYMENT_WORK = {
  /**
   * Fails a payment at the moment when its page expires, with one webhook. If the payer is
   * answering elsewhere at that moment, the time limit of the answer applies.
   */
  async expiry(work, id) {
    const row = await expire(work, id)
    return (
      row && {
        what: `expired ${row.payment_ref}`,
        facts: { transaction_id: row.id, status: row.status },
      }
    )
  },
  /** Ends an authentication whose payer did not return from the bank. */
  async authentication(work, id) {
    const ended = await endAuthentication(work, id, 'timeout', { expiresBy: work.now })
    return (
      ended && {
        what: 'the payer did not come back from the bank in time',
        facts: { mpi_ref: ended.ref, transaction_id: ended.transaction_id },
      }
    )
  },
  /** Fails a payment whose payer has not answered elsewhere in time. */
  async answer(work, id) {
    try {
      const { row } = await answerPayment(work, { id, answer: 'timeout' })
      return {
        what: `the payer did not answer ${row.payment_method}`,
        facts: { transaction_id: id, status: row.status },
      }
    } catch (error) {
      // The payer answered at the same moment.
      if (error instanceof GatewayError) return undefined
      throw error
    }
  },
  /** Answers a pending capture when the bank's time has passed. */
  async capture(work, id) {
    const row = await answerCapture(work, id)
    if (!row) return undefined
    const { payment_ref, status } = row
    const what =
      status === 'approved' ? `captured ${payment_ref}` : `the capture of ${payment_ref} failed`
    return { what, facts: { transaction_id: id, status } }
  },
} satisfies Partial<Record<DueKind, DoDueWork>>

/**
 * Fails a payment that the payer did not complete in time (specification: 1280, payment resource
 * expired). The merchant's own server can still have it paid, like any failed payment.
 * @returns undefined if it was paid or prolonged meanwhile
 */
const expire = ({ write }: OpenWork, id: number): Promise<TransactionRow | undefined> =>
  write(async (work) => {
    const { queries, merchant, now } = work
    const transaction = await findRow(queries, 'transactions', merchant.id, id)
    if (
      transaction?.status !== 'pending' ||
      isAwaitingPayer(transaction) ||
      !isPageExpired(transaction, now)
    )
      return undefined
    const error = 'errors.transaction.timeout'
    const row = await updateTransaction(queries, transaction, {
      status: 'failed',
      status_details: error,
      error_name: error,
      error_message: null,
      updated_at: now,
    })
    if (row) await record(work, row, [{ event: 'expired', status: 'failed', error }])
    return row
  })
