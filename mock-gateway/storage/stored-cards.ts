import type { Insertable, Selectable, Updateable } from 'kysely'
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

/** The card that a customer stored last, of those that were not cancelled. */
export function findNewestActiveCard(
  queries: Queries,
  merchantId: number,
  customerId: number,
): Promise<StoredCardRow | undefined> {
  return queries
    .selectFrom('stored_cards')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Changes a stored card: its status, its holder, or which transaction used it last. */
export function updateStoredCard(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<StoredCardTable>, 'id' | 'merchant_id' | 'token'>,
): Promise<StoredCardRow> {
  return queries.updateTable('stored_cards').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** True when any merchant has this stored card: another's is refused in other words than one that never was. */
export async function storedCardExists(queries: Queries, id: number): Promise<boolean> {
  const row = await queries.selectFrom('stored_cards').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}
