import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { SCHEMA } from '../../../mock-gateway/storage/migrations/tables.ts'
import type { StoredTables } from '../../../mock-gateway/storage/tables/schema.ts'

/** Number of declined transactions, which are the oldest ones. */
const DECLINED = 20

/** Number of rows that one statement inserts. */
export const AT_ONCE = 100_000

/**
 * Opens a database for `fill`. On a busy machine PostgreSQL takes longer than the 10 seconds that a
 * gateway waits for a statement.
 */
export async function openToFill(
  target: string,
): Promise<Pick<Database, 'db' | 'dialect' | 'close'>> {
  if (!target.startsWith('postgres')) return openDatabase(target)
  const options = `-c search_path=${SCHEMA}`
  const pool = new pg.Pool({ connectionString: target, options })
  const db = new Kysely<StoredTables>({ dialect: new PostgresDialect({ pool }) })
  return { db, dialect: 'postgres', close: () => db.destroy() }
}

/**
 * Copies the first transaction until there are `size` rows. Each row has its own payment_ref and
 * address, and a few rows are declined.
 */
export async function fill(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  size: number,
): Promise<void> {
  const rows = sql<{ count: number }>`select count(*) as count from transactions`
  const before = Number((await rows.execute(db)).rows[0]?.count ?? 0)
  const [first] = await db.selectFrom('transactions').selectAll().orderBy('id').limit(1).execute()
  const { id: _id, ...row } = first as NonNullable<typeof first>
  const own: Readonly<Record<string, string>> = {
    payment_ref: `'filled-' || n`,
    href_token: `'token-' || n`,
    status: `case when n <= ${DECLINED} then 'declined' else t.status end`,
  }
  const columns = Object.keys(row)
  const values = columns.map((column) => own[column] ?? `t.${column}`)
  const insert = sql`
    with recursive numbers (n) as (select ${sql.lit(before + 1)} union all select n + 1 from numbers where n < ${sql.lit(size)})
    insert into transactions (${sql.raw(columns.join(', '))})
    select ${sql.raw(values.join(', '))} from numbers, (select * from transactions order by id limit 1) t`
  if (dialect === 'sqlite') return void (await insert.execute(db))
  const steps = [
    // Without this, PostgreSQL would update one counting row a million times within one
    // transaction, which takes too long.
    sql`alter table transactions disable trigger user`,
    insert,
    sql`alter table transactions enable trigger user`,
    sql`delete from row_counts where table_name = 'transactions'`,
    sql`insert into row_counts (table_name, merchant_id, slot, count)
      select 'transactions', merchant_id, 0, count(*) from transactions group by merchant_id`,
    sql`vacuum analyze transactions`,
  ]
  await db.connection().execute(async (connection) => {
    for (const step of steps) await step.execute(connection)
  })
}
