import { sql } from 'kysely'
import { type DataTable, dataTables, lockDataTables } from './data-tables.ts'
import type { Database } from './database.ts'
import { SCHEMA } from './migrations/tables.ts'
import { compare, countRows, deleteRows, findAll, findOne, insertRow, updateRows } from './rows.ts'
import { insertSeed } from './seeds.ts'
import { LISTED_TABLES, type Queries } from './tables/schema.ts'
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

/** Copy of a table in a snapshot. */
const nameCopy = (id: number, table: string) => `snapshot_${id}_${table}`

/** PostgreSQL runs all statements with one call, SQLite one statement with each call. */
async function run({ dialect }: Pick<Database, 'dialect'>, queries: Queries, all: string[]) {
  for (const each of dialect === 'postgres' ? [all.join(';')] : all)
    await sql.raw(each).execute(queries)
}

/**
 * Copies all data to tables of the snapshot, and replaces a snapshot of the same name.
 * @returns the snapshot, or the reason why it was not saved
 */
export const insertSnapshot = (
  database: Database,
  { name, seeds, saved_at }: NewSnapshot,
): Promise<SnapshotRow | 'too many' | 'clock moves'> =>
  database.writeAlone(async (queries) => {
    // Reads all tables at the same point in time.
    if (database.dialect === 'postgres')
      await sql`set transaction isolation level repeatable read`.execute(queries)
    const others = await countRows(queries, 'snapshots', { name: compare('<>', name) })
    if (others >= MOST_SNAPSHOTS) return 'too many'
    const moved = await findAll(queries, 'clocks')
    if (moved.some(({ moving_until }) => (moving_until ?? 0) > saved_at)) return 'clock moves'
    await deleteNamedSnapshot(queries, database, name)
    const clocks = moved.map(({ merchant_id, frozen_at, ahead }) => {
      return { merchant_id, at: frozen_at ?? saved_at + ahead, frozen: frozen_at !== null }
    })
    const row = await insertRow(queries, 'snapshots', {
      name,
      clocks,
      seeds: seeds(),
      newest_ids: await findNewestIds(queries, database),
      payments: await countRows(queries, 'transactions', {}),
      saved_at,
    })
    const copies = dataTables.map(
      (table) => `create table ${nameCopy(row.id, table)} as select * from ${table}`,
    )
    await run(database, queries, copies)
    return row
  })

/**
 * Reads the last id that each table gave out. A sequence that was restarted gave out the id before.
 */
async function findNewestIds(queries: Queries, { dialect }: Database) {
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
  const last = new Map(rows.map((row) => [row.name, row.last]))
  return Object.fromEntries(dataTables.map((table) => [table, last.get(table) ?? 0]))
}

/**
 * Replaces the data by those of a snapshot, including clocks, seeds and next ids, completely or not
 * at all. Accounts, templates and logins stay as they are.
 * @param machineNow epoch milliseconds
 * @returns undefined if no snapshot has this name
 */
export const restoreRows = (
  database: Database,
  name: string,
  machineNow: () => number,
): Promise<SnapshotRow | undefined> =>
  database.writeAlone(async (queries) => {
    const snapshot = await findOne(queries, 'snapshots', { name })
    if (!snapshot) return undefined
    await replaceTables(queries, database, snapshot)
    // An interrupted delivery is sent again.
    const leased = { lease_until: compare('>', 0) }
    const free = { lease_owner: null, lease_until: null }
    await updateRows(queries, 'webhook_deliveries', leased, free)
    await replaceClocksAndSeeds(queries, snapshot, machineNow())
    database.restores.add()
    return snapshot
  })

async function replaceTables(
  queries: Queries,
  database: Database,
  { id, newest_ids }: SnapshotRow,
): Promise<void> {
  // A later version may have added tables and columns, which the snapshot does not have.
  const tables = dataTables.filter((table) => table in newest_ids)
  const inserts: string[] = []
  for (const table of tables.toReversed()) {
    const copy = nameCopy(id, table)
    const { rows } = await sql.raw<object>(`select * from ${copy} limit 1`).execute(queries)
    const columns = rows.flatMap((row) => Object.keys(row).map((name) => `"${name}"`)).join(', ')
    if (columns !== '')
      inserts.push(`insert into ${table} (${columns}) select ${columns} from ${copy}`)
  }
  const last = (table: DataTable) => newest_ids[table] ?? 0
  if (database.dialect === 'sqlite')
    return run(database, queries, [
      ...dataTables.map((table) => `delete from ${table}`),
      ...inserts,
      `delete from sqlite_sequence where name in (${dataTables.map((table) => `'${table}'`)})`,
      ...dataTables.map(
        (table) => `insert into sqlite_sequence values ('${table}', ${last(table)})`,
      ),
    ])
  await lockDataTables(queries)
  const turnTriggers = (change: 'disable' | 'enable') =>
    LISTED_TABLES.map((table) => `alter table ${table} ${change} trigger user`)
  await run(database, queries, [
    `truncate ${dataTables.join(', ')}, row_counts`,
    // Counting each row takes longer than counting all at the end.
    ...turnTriggers('disable'),
    ...inserts,
    ...turnTriggers('enable'),
    ...LISTED_TABLES.map(
      (table) => `insert into row_counts
        select '${table}', merchant_id, 0, count(*) from ${table} group by merchant_id`,
    ),
    ...dataTables.map(
      (table) => `alter table ${table} alter column id restart with ${last(table) + 1}`,
    ),
  ])
}

async function replaceClocksAndSeeds(
  queries: Queries,
  { clocks, seeds }: SnapshotRow,
  machineNow: number,
): Promise<void> {
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
}

/** Lists the snapshots by name. */
export const listSnapshots = async (queries: Queries): Promise<SnapshotRow[]> =>
  (await findAll(queries, 'snapshots')).sort((one, other) => (one.name < other.name ? -1 : 1))

/** Deletes a snapshot with its tables. @returns false if no snapshot has this name */
export async function deleteNamedSnapshot(
  queries: Queries,
  database: Pick<Database, 'dialect'>,
  name: string,
): Promise<boolean> {
  const deleted = await deleteRows(queries, 'snapshots', { name })
  for (const { id, newest_ids } of deleted) {
    const copies = Object.keys(newest_ids).map((table) => nameCopy(id, table))
    await run(
      database,
      queries,
      copies.map((copy) => `drop table ${copy}`),
    )
  }
  return deleted.length > 0
}
