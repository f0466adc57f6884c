import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { dataTables, lockDataTables } from './data-tables.ts'
import type { Database } from './database.ts'
import { SCHEMA } from './migrations/tables.ts'
import { compare, countRows, deleteRows, findAll, insertRow, updateRows } from './rows.ts'
import { insertSeed } from './seeds.ts'
import { OWNER_ONLY } from './sqlite.ts'
import type { Queries } from './tables/schema.ts'
import type { SnapshotRow } from './tables/snapshots.ts'

/** Maximum number of snapshots (our decision). */
export const MOST_SNAPSHOTS = 50

/** A snapshot before it is saved. */
interface NewSnapshot {
  readonly name: string
  /** Reads the random seeds when all other writes are stored. */
  readonly seeds: () => SnapshotRow['seeds']
  /** Epoch milliseconds of the machine. */
  readonly saved_at: number
}

type Snapshots = Pick<Database, 'db' | 'dialect' | 'writeAlone' | 'snapshotFile' | 'restores'>

/** Schema of a copy on PostgreSQL; the name of the attached file on SQLite. */
const nameCopy = ({ dialect }: Snapshots, id: number) =>
  dialect === 'postgres' ? `${SCHEMA}_snapshot_${id}` : 'saved'

const run = (queries: Queries, statements: readonly string[]) =>
  sql.raw(statements.join(';')).execute(queries)

/**
 * Copies all data, and replaces a snapshot of the same name: SQLite with VACUUM INTO a file,
 * PostgreSQL into a schema. A copy whose process was killed is never listed.
 * @returns the snapshot, or the reason why it was not saved
 */
export async function insertSnapshot(
  database: Snapshots,
  order: NewSnapshot,
): Promise<SnapshotRow | 'too many' | 'clock moves'> {
  if (database.dialect === 'postgres')
    return database.writeAlone(async (queries) => {
      // Reads all tables at the same point in time.
      await sql`set transaction isolation level repeatable read`.execute(queries)
      const row = await insertSnapshotRow(queries, database, order)
      if (typeof row === 'string') return row
      const copy = nameCopy(database, row.id)
      await run(queries, [
        `create schema ${copy}`,
        ...[...dataTables, 'row_counts'].map(
          (table) => `create table ${copy}.${table} as table ${SCHEMA}.${table}`,
        ),
      ])
      await deleteNamedSnapshot(queries, database, order.name, row.id)
      return row
    })
  // The only connection: no write comes between the row and the copy.
  return database.db.connection().execute(async (queries) => {
    const row = await inTransaction(queries, () => insertSnapshotRow(queries, database, order))
    if (typeof row === 'string') return row
    const file = database.snapshotFile(row.id)
    rmSync(file, { force: true })
    closeSync(openSync(file, 'wx', OWNER_ONLY))
    try {
      await sql`vacuum into ${file}`.execute(queries)
    } catch (error) {
      rmSync(file, { force: true })
      throw error
    }
    await deleteNamedSnapshot(queries, database, order.name, row.id)
    return row
  })
}

async function insertSnapshotRow(
  queries: Queries,
  database: Snapshots,
  { name, seeds, saved_at }: NewSnapshot,
): Promise<SnapshotRow | 'too many' | 'clock moves'> {
  const others = (await listSnapshots(database, queries)).filter((each) => each.name !== name)
  if (others.length >= MOST_SNAPSHOTS) return 'too many'
  const moved = await findAll(queries, 'clocks')
  if (moved.some(({ moving_until }) => (moving_until ?? 0) > saved_at)) return 'clock moves'
  const clocks = moved.map(({ merchant_id, frozen_at, ahead }) => {
    return { merchant_id, at: frozen_at ?? saved_at + ahead, frozen: frozen_at !== null }
  })
  return insertRow(queries, 'snapshots', {
    name,
    clocks,
    seeds: seeds(),
    newest_ids: await findNewestIds(queries, database),
    payments: await countRows(queries, 'transactions', {}),
    saved_at,
  })
}

/**
 * Reads the last id that each table gave out. A sequence that was restarted gave out the id before.
 */
async function findNewestIds(queries: Queries, { dialect }: Snapshots) {
  const sequences = dataTables.map(
    (table) => `select '${table}' as name, case when is_called then last_value
      else last_value - 1 end as last from ${SCHEMA}.${table}_id_seq`,
  )
  const { rows } = await sql
    .raw<{ name: string; last: number }>(
      dialect === 'sqlite'
        ? 'select name, seq as last from sqlite_sequence'
        : sequences.join(' union all '),
    )
    .execute(queries)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/**
 * Replaces the data by those of a snapshot, including clocks, seeds and next ids, completely or not
 * at all. Accounts, templates and logins stay as they are.
 * @param machineNow epoch milliseconds
 * @returns undefined if no snapshot has this name
 */
export async function restoreRows(
  database: Snapshots,
  name: string,
  machineNow: () => number,
): Promise<SnapshotRow | undefined> {
  const snapshot = (await listSnapshots(database)).find((each) => each.name === name)
  if (!snapshot) return undefined
  const restore = (queries: Queries) => replaceRows(queries, database, snapshot, machineNow())
  if (database.dialect === 'postgres') await database.writeAlone(restore)
  else
    await database.db.connection().execute(async (queries) => {
      await sql`attach ${database.snapshotFile(snapshot.id)} as saved`.execute(queries)
      try {
        await inTransaction(queries, () => restore(queries))
      } finally {
        await sql`detach saved`.execute(queries)
      }
    })
  return snapshot
}

async function replaceRows(
  queries: Queries,
  database: Snapshots,
  { id, clocks, seeds, newest_ids }: SnapshotRow,
  machineNow: number,
): Promise<void> {
  const copy = nameCopy(database, id)
  const names = await findColumns(queries, database, copy)
  const tables = [...dataTables].reverse().map((table) => [table, names.get(table) ?? ''] as const)
  const copied = tables.map(
    ([table, columns]) =>
      `insert into ${table} (${columns}) select ${columns} from ${copy}.${table}`,
  )
  if (database.dialect === 'postgres') {
    await lockDataTables(queries)
    const turn = (change: string) =>
      tables.map(([table]) => `alter table ${table} ${change} trigger user`)
    await run(queries, [
      `truncate ${dataTables.join(', ')}, row_counts`,
      ...turn('disable'),
      ...copied,
      ...turn('enable'),
      `insert into row_counts select * from ${copy}.row_counts`,
      ...dataTables.map(
        (table) =>
          `alter table ${table} alter column id restart with ${(newest_ids[table] ?? 0) + 1}`,
      ),
    ])
  } else
    for (const statement of [
      ...dataTables.map((table) => `delete from ${table}`),
      ...copied,
      "delete from sqlite_sequence where name <> 'snapshots'",
      "insert into sqlite_sequence select * from saved.sqlite_sequence where name <> 'snapshots'",
    ])
      await run(queries, [statement])
  // An interrupted delivery is sent again.
  const leased = { lease_until: compare('>', 0) }
  await updateRows(queries, 'webhook_deliveries', leased, { lease_owner: null, lease_until: null })
  await deleteRows(queries, 'clocks', {})
  for (const { merchant_id, at, frozen } of clocks) {
    // A running clock continues from the time that it showed.
    const row = { frozen_at: frozen ? at : null, ahead: at - machineNow, moving_until: null }
    await insertRow(queries, 'clocks', { merchant_id, ...row })
  }
  const owners = seeds.map(({ merchant_id }) => merchant_id)
  // A seed that stays keeps its number of streams: other gateways use them.
  await queries
    .deleteFrom('seeds')
    .where('merchant_id', 'not in', [-1, ...owners])
    .execute()
  for (const seed of seeds) await insertSeed(queries, seed.merchant_id, seed)
  database.restores.add()
}

/** Lists the columns of each table of a copy: a later version may have added others. */
async function findColumns(queries: Queries, { dialect }: Snapshots, copy: string) {
  const { rows } = await (dialect === 'sqlite'
    ? sql<{ table: string; name: string }>`
        select t.name as "table", c.name as name
        from saved.sqlite_schema as t, pragma_table_info(t.name, 'saved') as c where t.type = 'table'`
    : sql<{ table: string; name: string }>`
        select table_name as "table", column_name as name from information_schema.columns
        where table_schema = ${copy}`
  ).execute(queries)
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => [
      table,
      columns.map(({ name }) => `"${name}"`).join(', '),
    ]),
  )
}

/** Lists the complete snapshots by name. */
export async function listSnapshots(
  { db, dialect, snapshotFile }: Snapshots,
  queries: Queries = db,
): Promise<SnapshotRow[]> {
  const rows = await findAll(queries, 'snapshots')
  const complete = rows.filter(({ id }) => dialect === 'postgres' || existsSync(snapshotFile(id)))
  // A process that was killed while it replaced a snapshot left both.
  const newest = new Map(complete.map((row) => [row.name, row]))
  return [...newest.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** @param kept id of the snapshot that replaces the others. @returns false if there is none */
export async function deleteNamedSnapshot(
  queries: Queries,
  database: Snapshots,
  name: string,
  kept = 0,
): Promise<boolean> {
  const deleted = await deleteRows(queries, 'snapshots', { name, id: compare('<>', kept) })
  for (const { id } of deleted)
    if (database.dialect === 'sqlite') rmSync(database.snapshotFile(id), { force: true })
    else await run(queries, [`drop schema ${nameCopy(database, id)} cascade`])
  return deleted.length > 0
}

/** Runs work completely or not at all on SQLite, on a disk that has stored everything before. */
async function inTransaction<T>(queries: Queries, work: () => Promise<T>): Promise<T> {
  await run(queries, ['begin immediate'])
  try {
    const result = await work()
    await run(queries, ['commit'])
    return result
  } catch (error) {
    await run(queries, ['rollback'])
    throw error
  }
}
