import { sql } from 'kysely'
import { findAll, findOne, type Row } from './rows.ts'
import type { ListedTable, NumberedTable, Queries } from './tables/schema.ts'

/**
 * Returns the newest row of a merchant. @param statuses it has one of these; none: any, or the table
 * has no such column
 */
export const findNewest = <Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchant_id: number,
  statuses: readonly string[] = [],
): Promise<Row<Table> | undefined> => {
  const status = statuses.length > 0 ? { status: statuses } : {}
  return findOne<Table>(queries, table, { merchant_id, ...status } as object, { newestFirst: true })
}

/** Returns rows of one merchant or of all, the newest first. */
export const newestRows = <Table extends NumberedTable>(
  queries: Queries,
  table: Table,
  merchant_id: number | undefined,
  page: { readonly limit: number; readonly offset: number },
): Promise<Row<Table>[]> =>
  findAll<Table>(queries, table, { merchant_id } as object, { ...page, newestFirst: true })

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
