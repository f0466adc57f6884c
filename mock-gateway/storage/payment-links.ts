import { sql } from 'kysely'
import { findOne, inserterInto } from './rows.ts'
import type { PaymentLinkRow } from './tables/payment-links.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import { CLAIMING } from './transactions.ts'

const { decode } = CODECS.payment_links

/** @throws a unique violation when another link has the token */
export const insertPaymentLink = inserterInto('payment_links')

/** Finds a payment link of a merchant; without an id, returns undefined. */
export const findPaymentLink = async (
  queries: Queries,
  merchant_id: number,
  id: number | undefined | null,
): Promise<PaymentLinkRow | undefined> =>
  id === undefined || id === null
    ? undefined
    : findOne(queries, 'payment_links', { merchant_id, id })

/** Finds a link by the last part of its address. */
export const findPaymentLinkByToken = (
  queries: Queries,
  token: string,
): Promise<PaymentLinkRow | undefined> => findOne(queries, 'payment_links', { token })

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
 * Closes a link; a closed link stays as it is.
 * @param now epoch milliseconds
 */
export async function closePaymentLink(queries: Queries, id: number, now: number): Promise<void> {
  const changes = { closed_at: now, updated_at: now }
  await queries
    .updateTable('payment_links')
    .set(changes)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .execute()
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
