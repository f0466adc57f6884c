import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../tables/schema.ts'

/** Columns that rows are counted by, and their types. */
const COLUMNS = {
  status: 'text',
  test: 'integer',
  currency: 'text',
  card_type: 'text',
  transaction_type: 'text',
  type: 'text',
  interval_unit: 'text',
} as const

/** A table whose rows are counted, by the values of these columns. */
export interface Counted {
  readonly table: string
  readonly by: readonly (keyof typeof COLUMNS)[]
}

/**
 * Makes `<table>_counts` of a table that is empty: how many rows each merchant has of each combination of values.
 * Triggers keep it in step, in the same database transaction.
 */
export async function keepCounts(db: Kysely<unknown>, dialect: Dialect, counted: Counted): Promise<void> {
  const names = namesOf(counted)
  const { by } = counted
  let builder = db.schema.createTable(names.counts).addColumn('merchant_id', 'bigint', (c) => c.notNull())
  for (const column of by) builder = builder.addColumn(column, COLUMNS[column])
  await builder.addColumn('count', 'bigint', (c) => c.notNull()).execute()
  for (const statement of [
    `create unique index ${names.counts}_key on ${names.counts} (${names.key.join(', ')})`,
    ...(dialect === 'sqlite' ? sqliteTriggers(names) : postgresTriggers(names)),
  ])
    await sql.raw(statement).execute(db)
}

/**
 * On PostgreSQL, where writes wait for each other's rows, counts are spread over slots: each connection counts in its
 * own, and the total is the sum. Otherwise every payment of a merchant waits until the one before is on the disk.
 */
export async function spreadCounts(db: Kysely<unknown>, counted: Counted): Promise<void> {
  const names = namesOf(counted)
  const { counts, key } = names
  await run(db, [
    `alter table ${counts} add column slot integer not null default 0`,
    `drop index ${counts}_key`,
    `create unique index ${counts}_key on ${counts} (${[...key, 'slot'].join(', ')})`,
    `create or replace ${spreadCounting(names)}`,
  ])
}

/** The way back of `spreadCounts`. */
export async function gatherCounts(db: Kysely<unknown>, counted: Counted): Promise<void> {
  const names = namesOf(counted)
  const { counts, columns, key } = names
  await run(db, [
    `create temporary table gathered on commit drop as
      select ${columns.join(', ')}, sum(count) as count from ${counts} group by ${columns.join(', ')}`,
    `delete from ${counts}`,
    `drop index ${counts}_key`,
    `alter table ${counts} drop column slot`,
    `create unique index ${counts}_key on ${counts} (${key.join(', ')})`,
    `insert into ${counts} select * from gathered`,
    'drop table gathered',
    `create or replace ${counting(names)}`,
  ])
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The way back of `keepCounts`. */
export async function dropCounts(db: Kysely<unknown>, dialect: Dialect, table: string): Promise<void> {
  const triggers = dialect === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS
  for (const trigger of triggers)
    await sql.raw(`drop trigger ${table}_${trigger}${dialect === 'postgres' ? ` on ${table}` : ''}`).execute(db)
  if (dialect === 'postgres') await sql.raw(`drop function ${table}_count()`).execute(db)
  await db.schema.dropTable(`${table}_counts`).execute()
}

function namesOf({ table, by }: Counted): Names {
  // Two nulls are different to a unique index, so it holds a text in the place of one.
  const key = ['merchant_id', ...by.map((column) => (COLUMNS[column] === 'text' ? `coalesce(${column}, '')` : column))]
  return { table, counts: `${table}_counts`, columns: ['merchant_id', ...by], key }
}

interface Names {
  readonly table: string
  readonly counts: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

const SQLITE_TRIGGERS = ['count_inserted', 'count_deleted', 'count_updated'] as const
const POSTGRES_TRIGGERS = ['count_changed', 'count_updated'] as const

function sqliteTriggers(names: Names): string[] {
  const { table, columns } = names
  const [inserted, deleted, updated] = SQLITE_TRIGGERS.map((trigger) => `create trigger ${table}_${trigger} after`)
  return [
    `${inserted} insert on ${table} begin ${increase(names)}; end`,
    `${deleted} delete on ${table} begin ${decrease(names)}; end`,
    `${updated} update of ${columns.join(', ')} on ${table} when ${changed(names)}
      begin ${decrease(names)}; ${increase(names)}; end`,
  ]
}

function postgresTriggers(names: Names): string[] {
  const { table, columns } = names
  const [changedRows, updated] = POSTGRES_TRIGGERS.map((trigger) => `create trigger ${table}_${trigger} after`)
  return [
    `create ${counting(names)}`,
    `${changedRows} insert or delete on ${table} for each row execute function ${table}_count()`,
    `${updated} update of ${columns.join(', ')} on ${table} for each row when (${changed(names)})
      execute function ${table}_count()`,
  ]
}

const counting = (names: Names) =>
  `function ${names.table}_count() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then ${holdBoth(names)}; end if;
      if tg_op <> 'INSERT' then ${decrease(names)}; end if;
      if tg_op <> 'DELETE' then ${increase(names)}; end if;
      return null;
    end $$`

/** More than the connections of three gateways, so that they seldom share one. */
const SLOTS = 32

/** What is taken away may have been counted in another slot: a count may be below nothing, their sum is right. */
const spreadCounting = ({ table, counts, columns, key }: Names) =>
  `function ${table}_count() returns trigger language plpgsql as $$
    begin
      insert into ${counts} (${columns.join(', ')}, slot, count)
        select ${columns.join(', ')}, pg_backend_pid() % ${SLOTS}, change from (
          select ${columns.map((column) => `old.${column}`).join(', ')}, -1 as change where tg_op <> 'INSERT'
          union all
          select ${columns.map((column) => `new.${column}`).join(', ')}, 1 where tg_op <> 'DELETE'
        ) as changes order by ${key.join(', ')}
        on conflict (${[...key, 'slot'].join(', ')}) do update set count = ${counts}.count + excluded.count;
      return null;
    end $$`

/** Both counting rows, in one order: of two opposite changes one waits, and not each for the other. */
const holdBoth = ({ counts, columns, key }: Names) =>
  `perform 1 from ${counts} where (${key.join(', ')}) in (${['old', 'new']
    .map((row) => `(${key.map((part, index) => ofRow(row, part, columns[index] as string)).join(', ')})`)
    .join(', ')}) order by ${key.join(', ')} for update`

const increase = ({ counts, columns, key }: Names) =>
  `insert into ${counts} (${columns.join(', ')}, count) values (${columns.map((column) => `new.${column}`).join(', ')}, 1)
    on conflict (${key.join(', ')}) do update set count = ${counts}.count + 1`

const decrease = ({ counts, columns, key }: Names) =>
  `update ${counts} set count = count - 1
    where ${key.map((part, index) => `${part} = ${ofRow('old', part, columns[index] as string)}`).join(' and ')}`

const ofRow = (row: string, part: string, column: string) => part.replace(column, `${row}.${column}`)

const changed = ({ columns }: Names) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')
