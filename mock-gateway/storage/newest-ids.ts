import { sql } from 'kysely'
import type { Queries } from './tables/schema.ts'

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
