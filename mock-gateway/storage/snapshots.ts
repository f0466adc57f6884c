import { type RawBuilder, sql } from 'kysely'
import { allClocks, COMMON } from './clocks.ts'
import { type DataTable, dataTables, isOwnedBy } from './data-tables.ts'
import type { Database } from './database.ts'
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
export const copyOf = (table: DataTable) => sql.table(`snapshot_${table}`)

/** Returns the merchant of a snapshot; undefined for all merchants. */
export const ownerOf = ({ merchant_id }: Pick<SnapshotRow, 'merchant_id'>) =>
  merchant_id === COMMON ? undefined : merchant_id

/**
 * Copies the rows of a merchant or of all merchants, and replaces a snapshot of the same name. If a
 * power loss undoes it, all later changes are undone too, so that it can be saved again.
 */
export function insertSnapshot(
  { writeUnflushed, dialect }: Database,
  { merchant_id, name, seeds, saved_at }: NewSnapshot,
): Promise<SavedSnapshot> {
  const merchantId = ownerOf({ merchant_id })
  return writeUnflushed(async (queries) => {
    // Reads all tables at the same point in time.
    if (dialect === 'postgres')
      await sql`set transaction isolation level repeatable read`.execute(queries)
    const others = await listSnapshots(queries, merchant_id)
    const former = others.find((each) => each.name === name)
    if (!former && others.length >= SNAPSHOT_LIMITS.most) return 'too many'
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
    if (counts.has('webhook_deliveries'))
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
export async function countRows(
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
export async function selectOfEach(
  queries: Queries,
  columnOf: (table: DataTable) => RawBuilder<unknown>,
): Promise<ReadonlyMap<DataTable, number>> {
  const values = dataTables.map((table) => sql`${columnOf(table)} as ${sql.ref(table)}`)
  const { rows } = await sql<
    Record<DataTable, number | string | null>
  >`select ${sql.join(values)}`.execute(queries)
  return new Map(dataTables.map((table) => [table, Number(rows[0]?.[table] ?? 0)]))
}

/**
 * Reads the last id that each table gave out. A sequence that was restarted gave out the id before.
 */
export async function newestIdsOf(
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

export async function findSnapshot(
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
