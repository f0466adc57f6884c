import { record } from '../outbox/record.ts'
import type { DueKind } from '../scheduler/due.ts'
import { findExpiredPages } from '../storage/find-due.ts'
import { findRow } from '../storage/rows.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { OpenWork, WorkAt } from '../work/work.ts'
import { isAsked, isPageExpired } from './on-page.ts'

/**
 * Fails payments at the moment when their page expires, with one webhook. If the payer is answering
 * elsewhere at that moment, the time limit of the answer applies.
 */
export const expiriesDue = (workAt: WorkAt): DueKind => ({
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
    const read = await findRow(queries, 'transactions', merchant.id, id)
    if (read?.status !== 'pending' || isAsked(read) || !isPageExpired(read, now)) return undefined
    const error = 'errors.transaction.timeout'
    const row = await updateTransaction(queries, read, {
      status: 'failed',
      status_details: error,
      error_name: error,
      error_message: null,
      updated_at: now,
    })
    if (row) await record(work, row, [{ event: 'expired', status: 'failed', error }])
    return row
  })
