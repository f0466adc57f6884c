import type { Insertable } from 'kysely'
import type { FaultRow, FaultTable } from './tables/faults.ts'
import type { Queries } from './tables/schema.ts'

/**
 * Lists faults in the order in which they were created.
 * @param merchantId undefined: all merchants
 */
export const findFaults = (queries: Queries, merchantId?: number): Promise<FaultRow[]> =>
  queries
    .selectFrom('faults')
    .selectAll()
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('id')
    .execute()

export const insertFault = (queries: Queries, row: Insertable<FaultTable>): Promise<FaultRow> =>
  queries.insertInto('faults').values(row).returningAll().executeTakeFirstOrThrow()

/**
 * Counts a request that matched, and whether it was affected. The last affected request deletes the
 * fault.
 * @returns false when another request has come between
 */
export async function countDraw(
  queries: Queries,
  { id, drawn, struck, times }: FaultRow,
  isAffected: boolean,
): Promise<boolean> {
  const changes = { drawn: drawn + 1, struck: struck + (isAffected ? 1 : 0) }
  const { numUpdatedRows } = await queries
    .updateTable('faults')
    .set(changes)
    .where('id', '=', id)
    .where('drawn', '=', drawn)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (changes.struck === times) await queries.deleteFrom('faults').where('id', '=', id).execute()
  return true
}

/**
 * Deletes one fault, the faults of a merchant, or all.
 * @returns whether there was one
 */
export async function deleteFaults(
  queries: Queries,
  { id, merchantId }: { readonly id?: number; readonly merchantId?: number | undefined },
): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('faults')
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
