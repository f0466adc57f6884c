import { createUpdater, findOne, inserterInto } from './rows.ts'
import type { CustomerRow } from './tables/customers.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import type { TransactionRow } from './tables/transactions.ts'

/**
 * Returns the customer with this ref; creates the customer if the merchant has none (specification:
 * customer_ref). One statement, which locks the row: a simultaneous deletion waits, or has ended
 * before and the customer is created again.
 */
export async function findOrCreateCustomer(
  queries: Queries,
  merchantId: number,
  ref: string,
  now: number,
): Promise<CustomerRow> {
  const row = await queries
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
  return CODECS.customers.decode(row)
}

/** Reads the newest payment of a customer. */
export const findNewestPayment = (
  queries: Queries,
  merchant_id: number,
  customer_id: number,
): Promise<TransactionRow | undefined> =>
  findOne(queries, 'transactions', { merchant_id, customer_id }, { newestFirst: true })

/** Finds a customer by the merchant's own id of the customer. */
export const findCustomerByRef = (
  queries: Queries,
  merchant_id: number,
  ref: string,
): Promise<CustomerRow | undefined> => findOne(queries, 'customers', { merchant_id, ref })

/** @throws a unique violation when another customer of the merchant has the ref */
export const insertCustomer = inserterInto('customers')

/** @throws a unique violation when another customer of the merchant has the ref */
export const updateCustomer = createUpdater('customers')

export async function deleteCustomer(queries: Queries, id: number): Promise<void> {
  await queries.deleteFrom('customers').where('id', '=', id).execute()
}
