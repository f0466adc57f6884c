import type { Selectable } from 'kysely'
import type { CustomerTable, Queries } from './schema.ts'

export type CustomerRow = Selectable<CustomerTable>

export function findCustomer(queries: Queries, merchantId: number, id: number): Promise<CustomerRow | undefined> {
  return queries
    .selectFrom('customers')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Several customers of a merchant at once. */
export async function findCustomers(
  queries: Queries,
  merchantId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CustomerRow>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('customers')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The customer with this ref, made when the merchant has none yet (specification: customer_ref). */
export async function findOrCreateCustomer(
  queries: Queries,
  merchantId: number,
  ref: string,
  now: number,
): Promise<CustomerRow> {
  const row = { merchant_id: merchantId, ref, metadata: null, created_at: now, updated_at: now }
  await queries
    .insertInto('customers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'ref']).where('ref', 'is not', null).doNothing())
    .execute()
  return queries
    .selectFrom('customers')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()
}

/** A customer without a ref: a card stored for nobody in particular still belongs to one (observed: 6.5). */
export function insertAnonymousCustomer(queries: Queries, merchantId: number, now: number): Promise<CustomerRow> {
  return queries
    .insertInto('customers')
    .values({ merchant_id: merchantId, ref: null, metadata: null, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}
