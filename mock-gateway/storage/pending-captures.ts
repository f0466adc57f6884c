import { atMost, type DueScope, isDue } from './due.ts'
import type { NewPendingCaptureRow, PendingCaptureRow } from './tables/pending-captures.ts'
import type { Queries } from './tables/schema.ts'

export const insertPendingCapture = (queries: Queries, row: NewPendingCaptureRow) =>
  queries.insertInto('pending_captures').values(row).execute()

/** Takes a capture that the bank answers now: once, whoever else tries. Undefined when there is none. */
export const takePendingCapture = (queries: Queries, transactionId: number): Promise<PendingCaptureRow | undefined> =>
  queries.deleteFrom('pending_captures').where('transaction_id', '=', transactionId).returningAll().executeTakeFirst()

/** Captures that the bank has answered by a moment, the first first. */
export async function findAnsweredCaptures(queries: Queries, scope: DueScope, limit: number) {
  const rows = await queries
    .selectFrom('pending_captures')
    .select(['transaction_id', 'merchant_id', 'answer_at'])
    .where(isDue(scope, { at: 'answer_at', id: 'transaction_id' }))
    .orderBy('answer_at')
    .orderBy('transaction_id')
    .limit(atMost(limit))
    .execute()
  return rows.map(({ transaction_id, merchant_id, answer_at }) => ({
    id: transaction_id,
    merchantId: merchant_id,
    at: answer_at,
  }))
}
