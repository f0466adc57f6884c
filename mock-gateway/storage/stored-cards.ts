import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Currency } from '../domain/currencies.ts'
import type { Flag, Id } from './codec.ts'
import { findRow } from './rows.ts'
import type { Queries } from './schema.ts'

export interface StoredCardTable {
  id: Id
  merchant_id: number
  customer_id: number | null
  token: string
  card_holder: string
  /** First six and last four digits; the number itself is never kept. */
  card_number: string
  /** MMYY */
  card_expiry: string
  card_type: string
  currency: string
  status: 'active' | 'cancelled'
  expires: number
  ref: string | null
  test: Flag
  recurring: Flag
  /** The transaction that created or last used the card. */
  transaction_id: number | null
  created_at: number
  updated_at: number
}

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

/** What a card must be to be chosen; what is undefined does not matter. */
export interface CardChoice {
  readonly currencies?: readonly Currency[] | undefined
  readonly test?: boolean | undefined
}

/** The card that a customer stored last, of those that were not cancelled and fit the choice. */
export async function findNewestActiveCard(
  queries: Queries,
  merchantId: number,
  customerId: number,
  { currencies, test }: CardChoice = {},
): Promise<StoredCardRow | undefined> {
  // PostgreSQL knows no empty list.
  if (currencies?.length === 0) return undefined
  return queries
    .selectFrom('stored_cards')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .$if(currencies !== undefined, (query) => query.where('currency', 'in', currencies ?? []))
    .$if(test !== undefined, (query) => query.where('test', '=', test ? 1 : 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The id of the customer a card belongs to, if there still is one: cards outlive their customers. */
export async function findOwnerId(
  queries: Queries,
  { merchant_id, customer_id }: StoredCardRow,
): Promise<number | null> {
  const owner = await findRow(queries, 'customers', merchant_id, customer_id ?? undefined)
  return owner?.id ?? null
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
