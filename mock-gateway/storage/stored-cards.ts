import type { Insertable, Selectable } from 'kysely'
import type { Queries, StoredCardTable } from './schema.ts'

export type StoredCardRow = Selectable<StoredCardTable>

export function insertStoredCard(queries: Queries, row: Insertable<StoredCardTable>): Promise<StoredCardRow> {
  return queries.insertInto('stored_cards').values(row).returningAll().executeTakeFirstOrThrow()
}

/** By token; another merchant's token is not found. */
export function findStoredCardByToken(
  queries: Queries,
  merchantId: number,
  token: string,
): Promise<StoredCardRow | undefined> {
  return queries
    .selectFrom('stored_cards')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('token', '=', token)
    .executeTakeFirst()
}

/** Several stored cards of a merchant at once. */
export async function findStoredCards(
  queries: Queries,
  merchantId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredCardRow>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('stored_cards')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Notes which transaction created or last used the card (specification: Stored card, transaction). */
export async function markStoredCardUsed(
  queries: Queries,
  id: number,
  transactionId: number,
  now: number,
): Promise<void> {
  await queries
    .updateTable('stored_cards')
    .set({ transaction_id: transactionId, updated_at: now })
    .where('id', '=', id)
    .execute()
}
