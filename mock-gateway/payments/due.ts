import { GatewayError } from '../domain/errors/errors.ts'
import { record } from '../outbox/record.ts'
import type { DueKind } from '../scheduler/due.ts'
import {
  findAnsweredCaptures,
  findDueAuthentications,
  findExpiredPages,
  findUnanswered,
} from '../storage/due.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { OpenWork, WorkAt } from '../work/work.ts'
import { answerPayment } from './answer.ts'
import { endAuthentication } from './authentication/end.ts'
import { answerCapture } from './capture.ts'
import { isAwaitingPayer, isPageExpired } from './on-page.ts'

/** Fails payments whose payers have not answered elsewhere in time. */
export const createDueAnswers = (workAt: WorkAt): DueKind => ({
  kind: 'answer',
  first: findUnanswered,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    try {
      const timedOut = work && (await answerPayment(work, { id, answer: 'timeout' }))
      if (!timedOut) return undefined
      const { status, payment_method } = timedOut.row
      return {
        what: `the payer did not answer ${payment_method}`,
        facts: { transaction_id: id, status },
      }
    } catch (error) {
      // The payer answered at the same moment.
      if (error instanceof GatewayError) return undefined
      throw error
    }
  },
})

/** Creates the kind of due work that answers pending captures when the bank's time has passed. */
export const createDueCaptures = (workAt: WorkAt): DueKind => ({
  kind: 'capture',
  first: findAnsweredCaptures,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    const row = work && (await answerCapture(work, id))
    if (!row) return undefined
    const { payment_ref, status } = row
    const what =
      status === 'approved' ? `captured ${payment_ref}` : `the capture of ${payment_ref} failed`
    return { what, facts: { transaction_id: id, status } }
  },
})

/**
 * Authentications whose payers did not return from the bank, each with the time at which it
 * expires.
 */
export const createDueAuthentications = ({ workAt }: { readonly workAt: WorkAt }): DueKind => ({
  kind: 'authentication',
  first: findDueAuthentications,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    const ended = work && (await endAuthentication(work, id, 'timeout', { expiresBy: at }))
    return (
      ended && {
        what: 'the payer did not come back from the bank in time',
        facts: { mpi_ref: ended.ref, transaction_id: ended.transaction_id },
      }
    )
  },
})

/**
 * Fails payments at the moment when their page expires, with one webhook. If the payer is answering
 * elsewhere at that moment, the time limit of the answer applies.
 */
export const createDueExpiries = (workAt: WorkAt): DueKind => ({
  kind: 'expiry',
  first: findExpiredPages,
  async run({ id, merchantId, at }) {
    const work = await workAt(merchantId, at)
    const row = work && (await expire(work, id))
    return (
      row && {
        what: `expired ${row.payment_ref}`,
        facts: { transaction_id: row.id, status: row.status },
      }
    )
  },
})

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
