import type { NewReturnFailureRow, ReturnFailureRow } from './tables/return-failures.ts'
import type { Queries } from './tables/schema.ts'

export async function insertReturnFailure(
  queries: Queries,
  row: NewReturnFailureRow,
): Promise<void> {
  await queries.insertInto('return_failures').values(row).execute()
}

/** The failed returns of a payment, oldest first. */
export const returnFailuresOf = (
  queries: Queries,
  transactionId: number,
): Promise<ReturnFailureRow[]> =>
  queries
    .selectFrom('return_failures')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .orderBy('id')
    .execute()
