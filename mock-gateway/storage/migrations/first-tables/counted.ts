import type { Dialect } from '../../tables/schema.ts'

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
interface Counted {
  readonly table: string
  readonly by: readonly (keyof typeof COLUMNS)[]
}

/**
 * By values of which there are few, so that the total of a filtered list is read and not counted.
 */
export const COUNTED: readonly Counted[] = [
  { table: 'transactions', by: ['status', 'test', 'currency', 'card_type', 'transaction_type'] },
  { table: 'stored_cards', by: ['status', 'test', 'currency', 'card_type'] },
  { table: 'customers', by: [] },
  { table: 'refunds', by: [] },
  { table: 'webhooks', by: ['type'] },
  { table: 'plans', by: ['status', 'interval_unit'] },
  { table: 'subscriptions', by: ['status'] },
]

/**
 * Makes `<table>_counts` of a table that is empty: how many rows each merchant has of each
 * combination of values. Triggers keep it in step, in the same database transaction.
 *
 * On PostgreSQL, where writes wait for each other's rows, counts are spread over slots: each
 * connection counts in its own, and the total is the sum. Otherwise every payment of a merchant
 * waits until the one before is on the disk.
 */
export function keepCounts(dialect: Dialect, counted: Counted): string[] {
  const names = namesOf(dialect, counted)
  const { counts, columns, key } = names
  const slot = dialect === 'postgres' ? ['slot integer not null default 0'] : []
  return [
    `create table ${counts} (${[...columns.map(typed), 'count bigint not null', ...slot].join(', ')})`,
    `create unique index ${counts}_key on ${counts} (${key.join(', ')})`,
    ...(dialect === 'sqlite' ? sqliteTriggers(names) : postgresTriggers(names)),
  ]
}

/** The way back of `keepCounts`, once the table is gone, and its triggers with it. */
export const dropCounts = (dialect: Dialect, table: string): string[] => [
  `drop table ${table}_counts`,
  ...(dialect === 'postgres' ? [`drop function ${table}_count()`] : []),
]

type Column = 'merchant_id' | keyof typeof COLUMNS

interface Names {
  readonly table: string
  readonly counts: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
}

const typed = (column: Column) =>
  column === 'merchant_id' ? 'merchant_id bigint not null' : `${column} ${COLUMNS[column]}`

function namesOf(dialect: Dialect, { table, by }: Counted): Names {
  const columns = ['merchant_id', ...by] as const
  const key = [
    ...columns.map((column) => keyPart(column)),
    ...(dialect === 'postgres' ? ['slot'] : []),
  ]
  return { table, counts: `${table}_counts`, columns, key }
}

/** Two nulls are different to a unique index, so it holds a text in the place of one. */
const keyPart = (column: Column, of = column as string) =>
  column !== 'merchant_id' && COLUMNS[column] === 'text' ? `coalesce(${of}, '')` : of

function sqliteTriggers(names: Names): string[] {
  const { table, columns } = names
  return [
    `create trigger ${table}_count_inserted after insert on ${table} begin ${increase(names)}; end`,
    `create trigger ${table}_count_deleted after delete on ${table} begin ${decrease(names)}; end`,
    `create trigger ${table}_count_updated after update of ${columns.join(', ')} on ${table} when ${changed(names)}
      begin ${decrease(names)}; ${increase(names)}; end`,
  ]
}

const increase = ({ counts, columns, key }: Names) =>
  `insert into ${counts} (${columns.join(', ')}, count) values (${columns.map((column) => `new.${column}`).join(', ')}, 1)
    on conflict (${key.join(', ')}) do update set count = ${counts}.count + 1`

const decrease = ({ counts, columns }: Names) =>
  `update ${counts} set count = count - 1
    where ${columns.map((column) => `${keyPart(column)} = ${keyPart(column, `old.${column}`)}`).join(' and ')}`

function postgresTriggers(names: Names): string[] {
  const { table, columns } = names
  return [
    `create ${counting(names)}`,
    `create trigger ${table}_count_changed after insert or delete on ${table}
      for each row execute function ${table}_count()`,
    `create trigger ${table}_count_updated after update of ${columns.join(', ')} on ${table}
      for each row when (${changed(names)}) execute function ${table}_count()`,
  ]
}

/** More than the connections of three gateways, so that they seldom share one. */
const SLOTS = 32

/**
 * What is taken away may have been counted in another slot: a count may be below nothing, their sum
 * is right.
 */
const counting = ({ table, counts, columns, key }: Names) =>
  `function ${table}_count() returns trigger language plpgsql as $$
    begin
      insert into ${counts} (${columns.join(', ')}, slot, count)
        select ${columns.join(', ')}, pg_backend_pid() % ${SLOTS}, change from (
          select ${columns.map((column) => `old.${column}`).join(', ')}, -1 as change where tg_op <> 'INSERT'
          union all
          select ${columns.map((column) => `new.${column}`).join(', ')}, 1 where tg_op <> 'DELETE'
        ) as changes order by ${columns.map((column) => keyPart(column)).join(', ')}
        on conflict (${key.join(', ')}) do update set count = ${counts}.count + excluded.count;
      return null;
    end $$`

const changed = ({ columns }: Names) =>
  columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')
