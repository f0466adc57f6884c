import { sql } from 'kysely'
import type { PaymentLinkRow } from './tables/payment-links.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import { CLAIMING } from './transactions.ts'

const { decode } = CODECS.payment_links

/**
 * Locks a link until the end of this database transaction: of two simultaneous payers, the second
 * waits, and then counts the first one's payment.
 */
export async function holdPaymentLink(
  queries: Queries,
  id: number,
): Promise<PaymentLinkRow | undefined> {
  const held = queries.updateTable('payment_links').set(({ ref }) => ({ begun: ref('begun') }))
  const row = await held.where('id', '=', id).returningAll().executeTakeFirst()
  return row && decode(row)
}

/**
 * Counts one more started payment.
 * @returns its number, from 1
 */
export async function numberPayment(queries: Queries, id: number): Promise<number> {
  const counted = queries
    .updateTable('payment_links')
    .set(({ eb }) => ({ begun: eb('begun', '+', 1) }))
  return (await counted.where('id', '=', id).returning('begun').executeTakeFirstOrThrow()).begun
}

/**
 * Counts the payments of each link that are made or in progress, by its id.
 * @param exceptId a transaction that is not counted
 */
export async function countTaken(
  queries: Queries,
  ids: readonly number[],
  exceptId = 0,
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('transactions')
    .select(['payment_link_id', sql<number>`count(*)`.as('count')])
    .where('payment_link_id', 'in', ids)
    .where('id', '!=', exceptId)
    .where('status', 'in', CLAIMING)
    .groupBy('payment_link_id')
    .execute()
  return new Map(rows.map(({ payment_link_id, count }) => [Number(payment_link_id), Number(count)]))
}
