import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Id } from './codec.ts'
import type { Queries } from './schema.ts'

export interface CustomerTable {
  id: Id
  merchant_id: number
  ref: string | null
  metadata: string | null
  created_at: number
  updated_at: number
}

export type CustomerRow = Selectable<CustomerTable>

/**
 * The customer with this ref, made when the merchant has none yet (specification: customer_ref). In one statement, which
 * holds the row: who deletes the customer at the same moment waits, or has been before and it is made anew.
 */
export function findOrCreateCustomer(
  queries: Queries,
  merchantId: number,
  ref: string,
  now: number,
): Promise<CustomerRow> {
  return queries
    .insertInto('customers')
    .values({ merchant_id: merchantId, ref, metadata: null, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'ref'])
        .where('ref', 'is not', null)
        .doUpdateSet({ ref: (known) => known.ref('customers.ref') }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** By the merchant's own id of the customer. */
export function findCustomerByRef(queries: Queries, merchantId: number, ref: string): Promise<CustomerRow | undefined> {
  return queries
    .selectFrom('customers')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('ref', '=', ref)
    .executeTakeFirst()
}

/** @throws a unique violation when another customer of the merchant has the ref */
export function insertCustomer(queries: Queries, row: Insertable<CustomerTable>): Promise<CustomerRow> {
  return queries.insertInto('customers').values(row).returningAll().executeTakeFirstOrThrow()
}

/** @throws a unique violation when another customer of the merchant has the ref */
export function updateCustomer(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<CustomerTable>, 'id' | 'merchant_id'>,
): Promise<CustomerRow> {
  return queries.updateTable('customers').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteCustomer(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom('customers').where('id', '=', id).execute()
}
