import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'
import type { Queries } from './schema.ts'

/** A rule that waits for requests. */
export interface FaultTable {
  id: Id
  /** Null: strikes before anybody is proven. */
  merchant_id: number | null
  kind: 'latency' | 'drop' | 'unavailable'
  /** Of latency; 0 otherwise. */
  milliseconds: number
  /** In capitals; null is every one. */
  method: string | null
  /** The path of a request begins with it; null is every one. */
  path: string | null
  /** How many requests it strikes; null: until it is deleted. */
  times: number | null
  /** Of the requests that match, above 0 to 1. */
  probability: number
  seed: string
  /** How many requests it has struck. */
  struck: number
  /** How many requests have matched: the next draw of its seed. */
  drawn: number
}

export type FaultRow = Selectable<FaultTable>

export const faultCodec = tableCodec<FaultTable>({})

/** In the order in which they were made. @param merchantId undefined: of everybody */
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
 * Counts a request that matched, and that it was struck; the last one takes the fault away.
 * @returns false when another request has come between
 */
export async function countStruck(
  queries: Queries,
  { id, drawn, struck, times }: FaultRow,
  isStruck: boolean,
): Promise<boolean> {
  const changes = { drawn: drawn + 1, struck: struck + (isStruck ? 1 : 0) }
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

/** Forgets one, those of a merchant, or all. @returns whether there was one */
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
