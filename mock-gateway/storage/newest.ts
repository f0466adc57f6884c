import { sql } from 'kysely'
import { atMost } from './due.ts'
import { decodeRows, type Row, type StoredRow } from './rows.ts'
import type { ListedTable, NumberedTable, Queries } from './tables/schema.ts'

/**
 * The newest row of a merchant. @param statuses it has one of these; none: any, or the table has no
 * such column
 */
export async function findNewest<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  statuses: readonly string[] = [],
): Promise<Row<Table> | undefined> {
  const wanted = statuses.length > 0 ? sql`and status in (${sql.join(statuses)})` : sql``
  const { rows } = await sql<StoredRow<Table>>`
    select * from ${sql.table(table)} where merchant_id = ${merchantId} ${wanted}
    order by id desc limit 1`.execute(queries)
  return decodeRows(table, rows)[0]
}

/** Rows of one merchant or of all, the newest first. */
export async function newestRows<Table extends NumberedTable>(
  queries: Queries,
  table: Table,
  merchantId: number | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Row<Table>[]> {
  const ofMerchant = merchantId === undefined ? sql`` : sql`where merchant_id = ${merchantId}`
  const { rows } = await sql<StoredRow<Table>>`
    select * from ${sql.table(table)} ${ofMerchant}
    order by id desc limit ${atMost(limit)} offset ${offset}`.execute(queries)
  return decodeRows(table, rows)
}

/** Tables whose rows have random tokens. */
const TABLES = [
  'transactions',
  'stored_cards',
  'authentications',
  'webhook_deliveries',
  'payment_links',
] as const

/**
 * Returns the highest id of each table whose rows have tokens: it grows with every new token.
 * @param merchantId undefined: rows of all merchants
 */
export async function newestIds(queries: Queries, merchantId?: number): Promise<readonly number[]> {
  const whose = merchantId === undefined ? sql`` : sql`where merchant_id = ${merchantId}`
  const newest = TABLES.map(
    (table) =>
      sql`(select coalesce(max(id), 0) from ${sql.table(table)} ${whose}) as ${sql.ref(table)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(newest)}`.execute(queries)
  return TABLES.map((table) => Number(rows[0]?.[table] ?? 0))
}
