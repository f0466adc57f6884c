import { type RawBuilder, sql } from 'kysely'
import { allClocks, COMMON } from './clocks.ts'
import { type DataTable, dataTables, isOwnedBy, lockDataTables } from './data-tables.ts'
import type { Database } from './database.ts'
import { insertSeed } from './seeds.ts'
import type { Dialect, Queries } from './tables/schema.ts'
import { type SavedClock, type SnapshotRow, snapshotCodec } from './tables/snapshots.ts'

/** Limits of snapshots (our decision). */
export const SNAPSHOT_LIMITS = {
  /** Snapshots of one merchant, or of all merchants. */
  most: 50,
  /** Rows of all tables: about 20,000 payments. */
  rows: 200_000,
} as const

/** A snapshot before it is saved: the rows are copied from the tables. */
export type NewSnapshot = Pick<SnapshotRow, 'name' | 'merchant_id' | 'seeds' | 'saved_at'>

/** Result of saving: the snapshot, or the limit that it exceeds. */
export type SavedSnapshot = SnapshotRow | 'too many' | 'too large' | 'clock moves'

/** The rows of snapshots of a table. */
const copyOf = (table: DataTable) => sql.table(`snapshot_${table}`)

/** Returns the merchant of a snapshot; undefined for all merchants. */
const ownerOf = ({ merchant_id }: Pick<SnapshotRow, 'merchant_id'>) =>
  merchant_id === COMMON ? undefined : merchant_id

/**
 * Copies the rows of a merchant or of all merchants, and replaces a snapshot of the same name.
 */
export function insertSnapshot(
  { write, dialect }: Database,
  { merchant_id, name, seeds, saved_at }: NewSnapshot,
): Promise<SavedSnapshot> {
  const merchantId = ownerOf({ merchant_id })
  return write(async (queries) => {
    // Reads all tables at the same point in time.
    if (dialect === 'postgres')
      await sql`set transaction isolation level repeatable read`.execute(queries)
    const former = await findSnapshot(queries, merchant_id, name)
    const { length } = await listSnapshots(queries, merchant_id)
    if (!former && length >= SNAPSHOT_LIMITS.most) return 'too many'
    const counts = await countRows(queries, merchantId)
    if ([...counts.values()].reduce((sum, count) => sum + count, 0) > SNAPSHOT_LIMITS.rows)
      return 'too large'
    const moved = (await allClocks(queries)).filter(
      (row) => merchantId === undefined || row.merchant_id === merchantId,
    )
    if (moved.some(({ moving_until }) => (moving_until ?? 0) > saved_at)) return 'clock moves'
    if (former) await deleteSnapshot(queries, former.id)
    const clocks = moved.map((row): SavedClock => {
      const at = row.frozen_at ?? saved_at + row.ahead
      return { merchant_id: row.merchant_id, at, frozen: row.frozen_at !== null }
    })
    const row = { merchant_id, name, seeds, saved_at, clocks, newest_ids: {}, payments: 0 }
    const { id } = await queries
      .insertInto('snapshots')
      .values(snapshotCodec.encode(row))
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const table of counts.keys())
      await sql`
        insert into ${copyOf(table)} select ${id}, ${sql.table(table)}.* from ${sql.table(table)}
        where ${isOwnedBy(table, merchantId)}`.execute(queries)
    // An interrupted delivery is sent again after a restore.
    await sql`update ${copyOf('webhook_deliveries')} set lease_owner = null, lease_until = null
      where snapshot_id = ${id} and lease_owner is not null`.execute(queries)
    const payments = counts.get('transactions') ?? 0
    const changes = { newest_ids: await newestIdsOf(queries, dialect), payments }
    await queries
      .updateTable('snapshots')
      .set(snapshotCodec.encode(changes))
      .where('id', '=', id)
      .execute()
    return { ...row, id, ...changes }
  })
}

/** Counts the rows of each table that has any. */
async function countRows(
  queries: Queries,
  merchantId: number | undefined,
): Promise<ReadonlyMap<DataTable, number>> {
  const counts = await selectOfEach(
    queries,
    (table) =>
      sql`(select count(*) from ${sql.table(table)} where ${isOwnedBy(table, merchantId)})`,
  )
  return new Map([...counts].filter(([, count]) => count > 0))
}

/** Reads a number of each data table, all in one statement. */
async function selectOfEach(
  queries: Queries,
  columnOf: (table: DataTable) => RawBuilder<unknown>,
): Promise<ReadonlyMap<DataTable, number>> {
  const values = dataTables.map((table) => sql`${columnOf(table)} as ${sql.ref(table)}`)
  const { rows } = await sql<
    Record<DataTable, number | string | null>
  >`select ${sql.join(values)}`.execute(queries)
  return new Map(dataTables.map((table) => [table, Number(rows[0]?.[table] ?? 0)]))
}

/** Reads the last id that each table gave out. A sequence that was restarted gave out the id before. */
async function newestIdsOf(
  queries: Queries,
  dialect: Dialect,
): Promise<Readonly<Record<string, number>>> {
  const newest = await selectOfEach(queries, (table) =>
    dialect === 'sqlite'
      ? sql`(select seq from sqlite_sequence where name = ${table})`
      : sql`(select case when is_called then last_value else last_value - 1 end
          from ${sql.table(`${table}_id_seq`)})`,
  )
  return Object.fromEntries(newest)
}

/**
 * Replaces the rows of a merchant or of all merchants with the rows of a snapshot, including
 * clocks, seeds and next ids. Unchanged rows are not written.
 * @param machineNow epoch milliseconds
 * @returns undefined if there is no such snapshot
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
): Promise<SnapshotRow | undefined> {
  return writeAlone(async (queries) => {
    const snapshot = await findSnapshot(queries, merchantId ?? COMMON, name)
    if (!snapshot) return undefined
    if (dialect === 'postgres') await lockDataTables(queries)
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
  { newest_ids }: SnapshotRow,
): Promise<void> {
  const given = await newestIdsOf(queries, dialect)
  const highest = await selectOfEach(
    queries,
    (table) => sql`(select max(id) from ${sql.table(table)})`,
  )
  const changed = dataTables
    .map((table) => ({ table, id: Math.max(newest_ids[table] ?? 0, highest.get(table) ?? 0) }))
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

/** @param owner merchant id; 0 for snapshots of all merchants; undefined: every snapshot */
export async function listSnapshots(queries: Queries, owner?: number): Promise<SnapshotRow[]> {
  const rows = await queries
    .selectFrom('snapshots')
    .selectAll()
    .$if(owner !== undefined, (query) => query.where('merchant_id', '=', owner ?? COMMON))
    .orderBy('merchant_id')
    .orderBy('name')
    .execute()
  return rows.map((row) => snapshotCodec.decode(row))
}

async function findSnapshot(
  queries: Queries,
  owner: number,
  name: string,
): Promise<SnapshotRow | undefined> {
  const row = await queries
    .selectFrom('snapshots')
    .selectAll()
    .where('merchant_id', '=', owner)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && snapshotCodec.decode(row)
}

/** @returns false if there is no such snapshot */
export async function deleteNamedSnapshot(
  queries: Queries,
  owner: number,
  name: string,
): Promise<boolean> {
  const found = await findSnapshot(queries, owner, name)
  if (found) await deleteSnapshot(queries, found.id)
  return found !== undefined
}

async function deleteSnapshot(queries: Queries, id: number): Promise<void> {
  for (const table of dataTables)
    await sql`delete from ${copyOf(table)} where snapshot_id = ${id}`.execute(queries)
  await queries.deleteFrom('snapshots').where('id', '=', id).execute()
}
