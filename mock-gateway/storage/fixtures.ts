import { sql } from 'kysely'
import type { Dialect, ListedTable, Queries } from './tables/schema.ts'

/** Tables that fixtures fill, and tables that belong to their transactions. */
export type FixtureTable =
  | Extract<ListedTable, 'plans' | 'customers' | 'stored_cards' | 'transactions'>
  | 'payment_links'

/** Returns true if the data contain no payment and no other object. */
export async function isUnused(queries: Queries): Promise<boolean> {
  const { rows } = await sql`select 1 from plans union all select 1 from customers
    union all select 1 from stored_cards union all select 1 from transactions limit 1`.execute(
    queries,
  )
  return rows.length === 0
}

/**
 * Like `isUnused`, and no other transaction gets this answer until this one has ended. On SQLite
 * only one transaction writes at a time.
 */
export async function isStillUnused(queries: Queries, dialect: Dialect): Promise<boolean> {
  if (dialect === 'postgres')
    await sql`lock table plans in share row exclusive mode`.execute(queries)
  return isUnused(queries)
}

/** Continues the ids of a table after its highest id. SQLite does so by itself. */
export async function countOn(
  queries: Queries,
  dialect: Dialect,
  table: FixtureTable,
): Promise<void> {
  if (dialect === 'sqlite') return
  await sql`select setval(sequence, highest) from (
    select sequence,
      greatest((select max(id) from ${sql.table(table)}), pg_sequence_last_value(sequence)) as highest
    from (select pg_get_serial_sequence(${table}, 'id')::regclass as sequence) as of_table
    ) as counted
    where highest is not null`.execute(queries)
}
