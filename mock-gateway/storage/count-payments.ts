import { sql } from 'kysely'
import { CODECS, type Queries } from './tables/schema.ts'
import type { TransactionRow } from './tables/transactions.ts'

/** Maximum number of payments that a rule counts. */
const LOOKED_AT = 1000

/** Columns that rules compare, and columns that identify a payment. */
const PAST = [
  'id',
  'payment_ref',
  'amount',
  'amount_text',
  'currency',
  'status',
  'created_at',
  'card_number',
  'customer_ref',
  'payment_details',
] as const satisfies readonly (keyof TransactionRow)[]

export type LastPayment = Pick<TransactionRow, (typeof PAST)[number]>

/**
 * Returns the merchant's last thousand payments that reached the bank, newest first; rules do not
 * count charges of subscriptions.
 */
export async function findLastPayments(
  queries: Queries,
  merchantId: number,
): Promise<readonly LastPayment[]> {
  const rows = await queries
    .selectFrom('transactions')
    .select(PAST)
    .where('merchant_id', '=', merchantId)
    .where('status', '!=', 'pending')
    .where((where) =>
      where.or([
        where('transaction_type', 'is', null),
        where('transaction_type', '!=', 'recurring'),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(sql.lit(LOOKED_AT))
    .execute()
  return rows.map((row) => CODECS.transactions.decode(row))
}

/**
 * How many payments of a customer, or a card, the bank was asked for since a moment, of the
 * merchant's last thousand.
 */
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
        .limit(sql.lit(LOOKED_AT))
        .as('last'),
    )
    .select(({ fn }) => fn.countAll().as('count'))
    .where(column, '=', value)
    .where('status', '!=', 'pending')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
