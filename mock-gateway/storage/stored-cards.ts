import { sql } from 'kysely'
import type { Currency } from '../domain/money/currencies.ts'
import { atMost } from './due.ts'
import { findOne } from './rows.ts'
import { FLAG } from './tables/codec.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import type { StoredCardRow } from './tables/stored-cards.ts'

/** Conditions of a card; undefined ones are ignored. */
export interface CardChoice {
  readonly currencies?: readonly Currency[] | undefined
  readonly test?: boolean | undefined
}

/** Returns the customer's newest active card that fits the choice. */
export async function findNewestActiveCard(
  queries: Queries,
  merchantId: number,
  customerId: number,
  { currencies, test }: CardChoice = {},
): Promise<StoredCardRow | undefined> {
  // PostgreSQL knows no empty list.
  if (currencies?.length === 0) return undefined
  const row = await activeCards(queries, merchantId, customerId)
    .$if(currencies !== undefined, (query) => query.where('currency', 'in', currencies ?? []))
    .$if(test !== undefined, (query) => query.where('test', '=', FLAG.encode(test === true)))
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row && CODECS.stored_cards.decode(row)
}

/** The newest first. */
const activeCards = (queries: Queries, merchantId: number, customerId: number) =>
  queries
    .selectFrom('stored_cards')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .orderBy('id', 'desc')

/** Cards of a customer that can be charged now, the newest first. @param now epoch milliseconds */
export async function findChargeableCards(
  queries: Queries,
  {
    merchantId,
    customerId,
    test,
    now,
  }: Readonly<Record<'merchantId' | 'customerId' | 'now', number>> & { test: boolean },
  limit: number,
): Promise<StoredCardRow[]> {
  const rows = await activeCards(queries, merchantId, customerId)
    .where('test', '=', FLAG.encode(test))
    // Recurring cards are for plans and subscriptions only.
    .where('recurring', '=', FLAG.encode(false))
    .where('expires', '>=', now)
    .limit(atMost(limit))
    .execute()
  return rows.map(CODECS.stored_cards.decode)
}

/**
 * The id of the customer a card belongs to, if there still is one: cards outlive their customers.
 */
export async function findOwnerId(
  queries: Queries,
  { merchant_id, customer_id }: StoredCardRow,
): Promise<number | null> {
  if (customer_id === null) return null
  const owner = await findOne(queries, 'customers', { merchant_id, id: customer_id })
  return owner?.id ?? null
}
