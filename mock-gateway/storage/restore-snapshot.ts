import { sql } from 'kysely'
import { COMMON } from './clocks.ts'
import { type DataTable, dataTables, isOwnedBy, lockDataTables } from './data-tables.ts'
import type { Database } from './database.ts'
import { insertSeed } from './seeds.ts'
import { copyOf, countRows, findSnapshot, newestIdsOf, ownerOf, selectOfEach } from './snapshots.ts'
import type { Dialect, Queries } from './tables/schema.ts'
import type { SnapshotRow } from './tables/snapshots.ts'

/**
 * Replaces the rows of a merchant or of all merchants with the rows of a snapshot, including
 * clocks, seeds and next ids. Unchanged rows are not written.
 * @param machineNow epoch milliseconds
 * @returns the restored snapshot; undefined if no snapshot has this name; `ids taken`, without a
 *   restore, if a row of another merchant has an id of the snapshot
 */
export function restoreRows(
  { writeAlone, dialect, restores }: Database,
  {
    merchantId,
    name,
    machineNow,
  }: {
    readonly merchantId: number | undefined
    readonly name: string
    readonly machineNow: () => number
  },
): Promise<SnapshotRow | 'ids taken' | undefined> {
  return writeAlone(async (queries) => {
    const snapshot = await findSnapshot(queries, merchantId ?? COMMON, name)
    if (!snapshot) return undefined
    if (dialect === 'postgres') await lockDataTables(queries)
    if (await areIdsTaken(queries, snapshot)) return 'ids taken'
    const columns = await columnsOf(queries, dialect)
    const present = await countRows(queries, merchantId)
    const saved = await selectOfEach(
      queries,
      (table) => sql`(select max(id) from ${copyOf(table)} where snapshot_id = ${snapshot.id})`,
    )
    const used = dataTables.filter((table) => present.has(table) || saved.get(table) !== 0)
    await countOnce(queries, dialect, merchantId, () =>
      deferReferences(queries, dialect, async () => {
        for (const table of used.filter((each) => present.has(each)))
          await deleteChanged(queries, table, columns.get(table) ?? [], snapshot, dialect)
        for (const table of used.filter((each) => saved.get(each) !== 0).toReversed())
          await insertMissing(queries, table, columns.get(table) ?? [], snapshot)
      }),
    )
    await setNewestIds(queries, dialect, snapshot)
    await restoreClocks(queries, snapshot, machineNow())
    await restoreSeeds(queries, snapshot)
    restores.add(merchantId)
    return snapshot
  })
}

/**
 * Finds out whether rows that are not the merchant's have ids of the snapshot: a reset starts ids
 * again. Logs do not count, because every call adds to them.
 */
async function areIdsTaken(queries: Queries, { id, merchant_id }: SnapshotRow): Promise<boolean> {
  if (merchant_id === COMMON) return false
  const counts = await selectOfEach(
    queries,
    (table) => sql`(select count(*) from ${sql.table(table)}
      where id in (select id from ${copyOf(table)} where snapshot_id = ${id})
        and (${isOwnedBy(table, merchant_id)}) is not true)`,
  )
  return [...counts].some(([table, count]) => count > 0 && !LOGS.includes(table))
}

/** Tables that only record what happened. */
const LOGS: readonly DataTable[] = ['requests', 'clock_moves']

/**
 * Counts listed rows once after `work`. On PostgreSQL, the trigger writes the same count once for
 * each row, and each write searches through the earlier ones. The data tables are locked.
 */
async function countOnce(
  queries: Queries,
  dialect: Dialect,
  merchantId: number | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (dialect === 'sqlite') return work()
  const turn = (change: 'disable' | 'enable') => {
    const changes = LISTED.map((table) => `alter table ${table} ${change} trigger ${table}_counted`)
    return sql.raw(changes.join(';')).execute(queries)
  }
  await turn('disable')
  await work()
  await turn('enable')
  const isOwn = merchantId === undefined ? sql`true` : sql`merchant_id = ${merchantId}`
  await sql`delete from row_counts where ${isOwn}`.execute(queries)
  const counts = LISTED.map(
    (table) => sql`select ${sql.lit(table)}, merchant_id, 0, count(*) from ${sql.table(table)}
      where ${isOwn} group by merchant_id`,
  )
  await sql`insert into row_counts (table_name, merchant_id, slot, count)
    ${sql.join(counts, sql` union all `)}`.execute(queries)
}

/** Tables whose rows `row_counts` counts. */
const LISTED = [
  'transactions',
  'stored_cards',
  'customers',
  'refunds',
  'webhooks',
  'plans',
  'subscriptions',
] as const satisfies readonly DataTable[]

/** Checks references between rows after `work`, which replaces rows that others refer to. */
async function deferReferences(
  queries: Queries,
  dialect: Dialect,
  work: () => Promise<void>,
): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(queries)
  if (dialect === 'postgres') {
    await run('set constraints all deferred')
    await work()
    await run('set constraints all immediate')
    return
  }
  await run('pragma defer_foreign_keys = on')
  // Other writes are committed together with this one.
  await work().finally(() => run('pragma defer_foreign_keys = off'))
}

/** Names of the columns of each table. */
async function columnsOf(
  queries: Queries,
  dialect: Dialect,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ readonly table: string; readonly name: string }>`${
    dialect === 'sqlite'
      ? sql`select t.name as "table", c.name as name from sqlite_schema as t, pragma_table_info(t.name) as c
          where t.type = 'table'`
      : sql`select relname as "table", attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
          where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0
            and not attisdropped`
  }`.execute(queries)
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => [
      table,
      columns.map(({ name }) => name),
    ]),
  )
}

/** Deletes the rows that are not in the snapshot, or are not as they are in it. */
async function deleteChanged(
  queries: Queries,
  table: DataTable,
  columns: readonly string[],
  { id, merchant_id }: SnapshotRow,
  dialect: Dialect,
): Promise<void> {
  const is = dialect === 'sqlite' ? sql`is` : sql`is not distinct from`
  const isSame = columns.map(
    (name) => sql`${sql.ref(`saved.${name}`)} ${is} ${sql.ref(`${table}.${name}`)}`,
  )
  await sql`delete from ${sql.table(table)} where ${isOwnedBy(table, ownerOf({ merchant_id }))}
    and not exists (select 1 from ${copyOf(table)} as saved
      where saved.snapshot_id = ${id} and saved.id = ${sql.ref(`${table}.id`)}
        and ${sql.join(isSame, sql` and `)})`.execute(queries)
}

/** Inserts the rows of the snapshot that are not there. */
async function insertMissing(
  queries: Queries,
  table: DataTable,
  columns: readonly string[],
  { id }: SnapshotRow,
): Promise<void> {
  const into = sql.join(columns.map((name) => sql.ref(name)))
  const from = sql.join(columns.map((name) => sql.ref(`saved.${name}`)))
  await sql`insert into ${sql.table(table)} (${into}) select ${from} from ${copyOf(table)} as saved
    where saved.snapshot_id = ${id}
      and not exists (select 1 from ${sql.table(table)} as kept where kept.id = saved.id)
    order by saved.id`.execute(queries)
}

/** Continues ids after the snapshot's; for one merchant, not below the ids of other merchants. */
async function setNewestIds(
  queries: Queries,
  dialect: Dialect,
  { merchant_id, newest_ids }: SnapshotRow,
): Promise<void> {
  const given = await newestIdsOf(queries, dialect)
  const highest =
    merchant_id === COMMON
      ? undefined
      : await selectOfEach(queries, (table) => sql`(select max(id) from ${sql.table(table)})`)
  const changed = dataTables
    .map((table) => ({ table, id: Math.max(newest_ids[table] ?? 0, highest?.get(table) ?? 0) }))
    .filter(({ table, id }) => id !== given[table])
  if (changed.length === 0) return
  if (dialect === 'postgres') {
    const restarts = changed.map(
      ({ table, id }) => `alter table ${table} alter column id restart with ${id + 1}`,
    )
    await sql.raw(restarts.join(';')).execute(queries)
    return
  }
  for (const { table, id } of changed) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(queries)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(queries)
  }
}

/** A running clock continues from the time that it showed. */
async function restoreClocks(
  queries: Queries,
  { merchant_id, clocks }: SnapshotRow,
  machineNow: number,
): Promise<void> {
  await queries
    .deleteFrom('clocks')
    .$if(merchant_id !== COMMON, (query) => query.where('merchant_id', '=', merchant_id))
    .execute()
  for (const { merchant_id: owner, at, frozen } of clocks) {
    const row = { frozen_at: frozen ? at : null, ahead: at - machineNow, moving_until: null }
    await queries
      .insertInto('clocks')
      .values({ merchant_id: owner, ...row })
      .execute()
  }
}

async function restoreSeeds(queries: Queries, { merchant_id, seeds }: SnapshotRow): Promise<void> {
  await queries
    .deleteFrom('seeds')
    .$if(merchant_id !== COMMON, (query) => query.where('merchant_id', '=', merchant_id))
    .where(({ eb, not }) =>
      seeds.length === 0
        ? eb.lit(true)
        : not(
            eb(
              'merchant_id',
              'in',
              seeds.map((seed) => seed.merchant_id),
            ),
          ),
    )
    .execute()
  for (const seed of seeds) await insertSeed(queries, seed.merchant_id, seed)
}
