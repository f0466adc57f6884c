import type { CustomerRow } from './tables/customers.ts'
import { CODECS, type Queries } from './tables/schema.ts'

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
