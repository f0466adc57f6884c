import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { withoutUndefined } from '../domain/without-undefined.ts'
import { atMost } from './due.ts'
import { bindColumns, bindEach, isSqlite, prepared, runner } from './prepared.ts'
import type { StoredTable } from './tables/codec.ts'
import {
  CODECS,
  type ListedTable,
  type NumberedTable,
  type Queries,
  type Tables,
} from './tables/schema.ts'

/** A row of one of these tables, as the use cases see it. */
export type Row<Table extends NumberedTable> = Selectable<Tables[Table]> & { readonly id: number }

/** A row as the databases store it. */
export type StoredRow<Table extends NumberedTable> = Selectable<StoredTable<Tables[Table]>>

/** Decodes whole rows, as a query found them. */
export function decodeRows<Table extends NumberedTable>(
  table: Table,
  rows: readonly StoredRow<Table>[],
): Row<Table>[] {
  const codec = CODECS[table]
  return rows.map((row) => codec.decode(row) as Row<Table>)
}

/** A new row of one of these tables. */
export type NewRow<Table extends NumberedTable> = Omit<Insertable<Tables[Table]>, 'id'>

/**
 * Inserts rows with one statement; they have the same columns.
 * @returns their ids in the order of the rows
 */
export async function insertRows<Table extends NumberedTable>(
  queries: Queries,
  table: Table,
  rows: readonly NewRow<Table>[],
): Promise<number[]> {
  if (rows.length === 0) return []
  const { encode } = CODECS[table] as { encode(row: object): object }
  const result = await insert(queries, { table, rows: rows.map((row) => encode(row)) })
  // PostgreSQL may list the ids in any order.
  return result.insertId === undefined
    ? result.rows.map(({ id }) => id).sort((one, other) => one - other)
    : rows.map((_row, place) => Number(result.insertId) - rows.length + 1 + place)
}

/**
 * SQLite reports the last id by itself and is a quarter slower with `returning`; PostgreSQL needs
 * it.
 */
const insert = runner<Insertion, { readonly id: number }>(
  (bind, queries, { table, rows }) => {
    const values = rows.map((row, place) => bindColumns(bind, row, (all) => all.rows[place]))
    const query = queries.insertInto(table).values(values as never)
    return (isSqlite(queries) ? query : query.returning('id' as never)) as never
  },
  ({ table, rows }) => `${table} ${rows.map((row) => Object.keys(row).join()).join(';')}`,
)

interface Insertion {
  readonly table: NumberedTable
  readonly rows: readonly object[]
}

/** Order and part of the rows to find. Default: all, the oldest first. */
interface RowRange {
  readonly newestFirst?: boolean
  readonly limit?: number
  readonly offset?: number
}

/**
 * Finds the rows of a table by the values of columns.
 * @param where a column has this value, or one of these; undefined: any
 */
export async function findAll<Table extends NumberedTable>(
  queries: Queries,
  table: Table,
  where: { readonly [Column in keyof StoredRow<Table>]?: unknown },
  { newestFirst = false, limit, offset = 0 }: RowRange = {},
): Promise<Row<Table>[]> {
  const conditions = Object.entries(where).flatMap(([name, value]) => {
    if (value === undefined) return []
    return Array.isArray(value)
      ? [sql`${sql.ref(name)} in (${sql.join(value)})`]
      : [sql`${sql.ref(name)} = ${value}`]
  })
  const order = newestFirst ? sql`id desc` : sql`id`
  const range = limit === undefined ? sql`` : sql`limit ${atMost(limit)} offset ${offset}`
  const { rows } = await sql<StoredRow<Table>>`select * from ${sql.table(table)}
    where ${sql.join([sql`true`, ...conditions], sql` and `)} order by ${order} ${range}`.execute(
    queries,
  )
  return decodeRows(table, rows)
}

/** Finds one row like `findAll`: the oldest, or with `newestFirst` the newest. */
export async function findOne<Table extends NumberedTable>(
  queries: Queries,
  table: Table,
  where: Parameters<typeof findAll<Table>>[2],
  { newestFirst }: Pick<RowRange, 'newestFirst'> = {},
): Promise<Row<Table> | undefined> {
  const [row] = await findAll(queries, table, where, { newestFirst, limit: 1 } as RowRange)
  return row
}

/** Tables whose rows are added one at a time, and shown as they were added. */
type InsertedTable =
  | 'authentications'
  | 'customers'
  | 'payment_links'
  | 'plans'
  | 'refunds'
  | 'stored_cards'
  | 'subscriptions'

/** Creates a function that adds a row to a table, and returns the row with its id. */
export const inserterInto =
  <Table extends InsertedTable>(table: Table) =>
  async (queries: Queries, row: Omit<Insertable<Tables[Table]>, 'id'>): Promise<Row<Table>> => {
    const insert = queries
      .insertInto<InsertedTable>(table)
      .values(CODECS[table].encode(row as never) as never)
    return CODECS[table].decode(
      (await insert.returningAll().executeTakeFirstOrThrow()) as never,
    ) as Row<Table>
  }

/** Creates a function that changes some columns of a row, and returns the whole row. */
export function createUpdater<Table extends InsertedTable>(table: Table) {
  const update = prepared(
    (bind, queries, { set }: { readonly id: number; readonly set: object }) =>
      queries
        .updateTable<InsertedTable>(table)
        .set(bindColumns(bind, set, (change) => change.set) as never)
        .where('id', '=', bind('id'))
        .returningAll(),
    ({ set }) => Object.keys(set).join(),
  )
  return async (
    queries: Queries,
    id: number,
    changes: Omit<Updateable<Tables[Table]>, 'id' | 'merchant_id' | 'token'>,
  ): Promise<Row<Table>> => {
    const set = withoutUndefined(CODECS[table].encode(changes as never))
    const [row] = await update(queries, { id, set })
    if (!row) throw new TypeError(`Row ${id} of ${table} is missing`)
    return CODECS[table].decode(row as never) as Row<Table>
  }
}

/** Maximum number of ids in one query: SQLite binds 32,766 values, PostgreSQL 65,535. */
const IDS_AT_ONCE = 1_024

/** Finds rows by any number of ids, with a query for `IDS_AT_ONCE` at a time. */
export async function byIds<Found>(
  ids: readonly number[],
  find: (ids: readonly number[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  if (ids.length <= IDS_AT_ONCE) return ids.length === 0 ? [] : [...(await find(filledUp(ids)))]
  const found: Found[] = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    for (const row of await find(filledUp(ids.slice(at, at + IDS_AT_ONCE)))) found.push(row)
  return found
}

/**
 * Repeats the last id until there are 1, 2, 4, 8 and so on, so that a query has few texts for any
 * number of ids.
 */
function filledUp(ids: readonly number[]): readonly number[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length))
  return length === ids.length ? ids : [...ids, ...Array(length - ids.length).fill(ids.at(-1))]
}

/** Finds rows of a merchant by their ids; rows of other merchants are not found. */
export async function findRows<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Row<Table>>> {
  const rows = await byIds(ids, async (some) =>
    decodeRows(
      table,
      (await selectRows(queries, { table, merchantId, ids: some })) as StoredRow<Table>[],
    ),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const selectRows = prepared(
  (bind, _queries, { table, ids }: RowRequest) =>
    sql`select * from ${sql.table(table)} where merchant_id = ${bind('merchantId')}
      and id in (${sql.join(bindEach(bind, ids, (row) => row.ids))})`,
  ({ table, ids }) => `${table} ${ids.length}`,
)

interface RowRequest {
  readonly table: ListedTable
  readonly merchantId: number
  readonly ids: readonly number[]
}

/** Finds a row of a merchant by its id; without an id, returns undefined. */
export async function findRow<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  id: number | undefined,
): Promise<Row<Table> | undefined> {
  if (id === undefined) return undefined
  const rows = await selectRows(queries, { table, merchantId, ids: [id] })
  return decodeRows(table, rows as StoredRow<Table>[])[0]
}

type HeldTable = 'customers' | 'stored_cards' | 'plans' | 'subscriptions'

/**
 * Finds a row of a merchant and locks it for the rest of this database transaction. A second
 * transaction that wants to change the row waits, and then reads the changes of the first.
 * @param now epoch milliseconds; becomes the row's `updated_at`
 */
export async function holdRow<Table extends HeldTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  id: number | undefined,
  now: number,
): Promise<Row<Table> | undefined> {
  if (id === undefined) return undefined
  const rows = await holdRows(queries, { table, merchantId, id, now })
  return decodeRows(table, rows as StoredRow<Table>[])[0]
}

const holdRows = prepared(
  (bind, _queries, { table }: HeldRow) =>
    sql`update ${sql.table(table)} set updated_at = ${bind('now')}
      where merchant_id = ${bind('merchantId')} and id = ${bind('id')}
      returning *`,
  ({ table }) => table,
)

interface HeldRow {
  readonly table: HeldTable
  readonly merchantId: number
  readonly id: number
  readonly now: number
}
