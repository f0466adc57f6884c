import { compare, findAll, findOne } from './rows.ts'
import type { Queries } from './tables/schema.ts'
import type { StoredCardRow } from './tables/stored-cards.ts'

/** Cards of a customer that can be charged now, the newest first. @param now epoch milliseconds */
export const findChargeableCards = (
  queries: Queries,
  {
    merchantId: merchant_id,
    customerId: customer_id,
    test,
    now,
  }: Readonly<Record<'merchantId' | 'customerId' | 'now', number>> & { test: boolean },
  limit: number,
): Promise<StoredCardRow[]> => {
  // Recurring cards are for plans and subscriptions only.
  const kind = { status: 'active', recurring: false, expires: compare('>=', now) } as const
  const where = { merchant_id, customer_id, test, ...kind }
  return findAll(queries, 'stored_cards', where, { newestFirst: true, limit })
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
