import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { SCHEMA } from '../../../mock-gateway/storage/migrate.ts'
import type { StoredTables } from '../../../mock-gateway/storage/tables/schema.ts'
import { startPostgres } from '../../setup/postgres.ts'
import { scratchDatabaseOn } from '../../setup/scratch-database.ts'
import { median, type Plan } from './compare.ts'
import { print, printFigure } from './report.ts'
import { listTen, plainCreate } from './requests.ts'
import { freshPath, type Server, startGateway, startGatewayOn } from './servers.ts'

/**
 * Pages of ten rows that are measured at every size. Each matches at least ten of the rows that
 * `fill` creates.
 */
const PAGES = {
  'no filter': '/v1/transactions?limit=10',
  'filter[payment_ref]': '/v1/transactions?limit=10&filter[payment_ref]=filled-7',
  'filter[id] from..to': '/v1/transactions?limit=10&filter[id]=100..109',
  'filter[status] of nearly all': '/v1/transactions?limit=10&filter[status]=approved',
  'filter[status] of a few old ones': '/v1/transactions?limit=10&filter[status]=declined',
  'filter[test] and filter[currency]':
    '/v1/transactions?limit=10&filter[test]=true&filter[currency]=sek',
} as const

/** Number of declined transactions, which are the oldest ones. */
const DECLINED = 20

type Page = keyof typeof PAGES

/**
 * Measures the time of pages and their totals on both databases, while the number of rows grows.
 */
export async function measurePages(plan: Plan): Promise<void> {
  const folder = freshPath()
  const onSqlite = await startGateway(plan.connections, folder)
  await measureGrowing('SQLite', plan, onSqlite, join(folder, 'gateway.db'))
  const postgres = await startPostgres()
  const scratch = await scratchDatabaseOn(postgres.url)
  const onPostgres = await startGatewayOn(plan.connections, scratch.url)
  await measureGrowing('PostgreSQL', plan, onPostgres, scratch.url)
  await scratch.drop()
  await postgres.stop()
}

/** Number of rows that one statement inserts. */
export const AT_ONCE = 100_000

async function measureGrowing(
  name: string,
  plan: Plan,
  gateway: Server,
  target: string,
): Promise<void> {
  await gateway.load.run({ requests: 10 }, () => plainCreate())
  const database = await openToFill(target)
  const times: Record<string, number>[] = []
  for (const size of plan.sizes) {
    for (let part = AT_ONCE; part < size; part += AT_ONCE) await fill(database, part)
    await fill(database, size)
    times.push(await measureEach(plan, gateway))
  }
  await database.close()
  await gateway.stop()
  print(
    `\nA page of ten on ${name}, at ${plan.sizes.join(', ')} transactions: milliseconds, and the last to the first`,
  )
  for (const page of Object.keys(PAGES)) {
    const row = times.map((each) => each[page] as number)
    const growth = (row.at(-1) as number) / (row[0] as number)
    printFigure(`${page}  ${row.map((ms) => ms.toFixed(1)).join('  ')}`, growth, '', { atMost: 3 })
  }
}

/** Measures the pages one after the other. Returns the median milliseconds of each page. */
async function measureEach(plan: Plan, { load }: Server): Promise<Record<string, number>> {
  const times: Record<string, number> = {}
  for (const page of Object.keys(PAGES) as Page[]) {
    const samples = []
    for (let round = 0; round < plan.rounds; round += 1)
      samples.push(await load.run({ requests: plan.connections }, () => listTen(PAGES[page])))
    times[page] = median(samples.map(({ p50 }) => p50))
  }
  return times
}

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
