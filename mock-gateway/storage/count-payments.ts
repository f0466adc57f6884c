import type { Queries } from './tables/schema.ts'

/** A rule looks at so many payments at most. */
const LOOKED_AT = 1000

/** How many payments of a customer, or a card, the bank was asked for since a moment, of the merchant's last thousand. */
export async function countPayments(
  queries: Queries,
  merchantId: number,
  column: 'customer_ref' | 'card_number',
  value: string,
  since: number,
): Promise<number> {
  const { count } = await queries
    .selectFrom((last) =>
      last
        .selectFrom('transactions')
        .select(['customer_ref', 'card_number', 'status', 'created_at'])
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(LOOKED_AT)
        .as('last'),
    )
    .select(({ fn }) => fn.countAll().as('count'))
    .where(column, '=', value)
    .where('status', '!=', 'pending')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
