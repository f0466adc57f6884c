import type { PendingCaptureRow } from './tables/pending-captures.ts'
import type { Queries } from './tables/schema.ts'

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
