import { captureCodec, type NewCaptureRow } from './tables/captures.ts'
import type { NewPendingCaptureRow, PendingCaptureRow } from './tables/pending-captures.ts'
import type { Queries } from './tables/schema.ts'

export async function insertCapture(queries: Queries, row: NewCaptureRow): Promise<void> {
  await queries.insertInto('captures').values(captureCodec.encode(row)).execute()
}

export const insertPendingCapture = (queries: Queries, row: NewPendingCaptureRow) =>
  queries.insertInto('pending_captures').values(row).execute()

/**
 * Claims a capture that the bank answers now. Only one call succeeds; undefined if there is none.
 */
export const takePendingCapture = (
  queries: Queries,
  transactionId: number,
): Promise<PendingCaptureRow | undefined> =>
  queries
    .deleteFrom('pending_captures')
    .where('transaction_id', '=', transactionId)
    .returningAll()
    .executeTakeFirst()
