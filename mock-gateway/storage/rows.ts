import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { removeUndefined } from '../domain/json.ts'
import { atMost } from './due.ts'
import { type Bind, bindColumns, bindEach, byIds, isSqlite, prepared, runner } from './prepared.ts'
import type { StoredTable, TableCodec } from './tables/codec.ts'
import {
  CODECS,
  COLUMNS,
  type ListedTable,
  type NumberedTable,
  type Queries,
  type Tables,
} from './tables/schema.ts'

/** A row of a table, as the use cases see it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]> &
  (Table extends NumberedTable ? { readonly id: number } : unknown)

/** A row as the databases store it. */
export type StoredRow<Table extends keyof Tables> = Selectable<StoredTable<Tables[Table]>>

/** A new row of a table. */
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>

/** Returns the codec of a table. All codecs take whole rows and parts of rows. */
const getCodec = (table: keyof Tables) =>
  CODECS[table] as object as TableCodec<Record<string, unknown>>

/** Decodes whole rows, as a query found them. */
export function decodeRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly unknown[],
): Row<Table>[] {
  const { decode } = getCodec(table)
  return rows.map((row) => decode(row as never) as Row<Table>)
}

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
  const { encode } = getCodec(table)
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
  (bind, queries, { table, rows, returned }) => {
    const values = rows.map((row, place) => bindColumns(bind, row, (all) => all.rows[place]))
    const query = queries.insertInto(table).values(values as never)
    if (returned === 'row') return query.returningAll() as never
    return (isSqlite(queries) ? query : query.returning('id' as never)) as never
  },
  ({ table, rows, returned }) =>
    `${table} ${returned} ${rows.map((row) => Object.keys(row).join()).join(';')}`,
)

interface Insertion {
  readonly table: keyof Tables
  readonly rows: readonly object[]
  /** Default: the id. */
  readonly returned?: 'row'
}

/**
 * Inserts a row and returns it as it is stored.
 * @throws a unique violation if another row has a value that must be unique
 */
export async function insertRow<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  row: NewRow<Table>,
): Promise<Row<Table>> {
  const stored = removeUndefined(getCodec(table).encode(row as object))
  const { rows } = await insert(queries, { table, rows: [stored], returned: 'row' })
  return decodeRows(table, rows)[0] as Row<Table>
}

/** A comparison other than equality, such as `compare('<=', now)`. */
export const compare = (
  operator: '<' | '<=' | '>' | '>=' | '<>' | 'like',
  value: string | number,
) => new Comparison(operator, value)

class Comparison {
  readonly operator: string
  readonly value: unknown

  constructor(operator: string, value: unknown) {
    this.operator = operator
    this.value = value
  }
}

/** Values of columns. A list: the column has one of its values; undefined: it has any value. */
export type Where<Table extends keyof Tables> = {
  readonly [Column in keyof Row<Table>]?:
    | Row<Table>[Column]
    | readonly Row<Table>[Column][]
    | Comparison
    | undefined
}

/** The rows to find, change or delete. */
interface Choice {
  readonly table: keyof Tables
  readonly where: Readonly<Record<string, unknown>>
}

const createChoice = (table: keyof Tables, where: object): Choice => ({
  table,
  where: removeUndefined(getCodec(table).encode(where)),
})

const writeConditions = <Given extends Choice>(bind: Bind<Given>, { where }: Given) => {
  const conditions = Object.entries(where).map(([name, value]) => {
    const column = sql.ref(name)
    if (value === null) return sql`${column} is null`
    if (value instanceof Comparison)
      return sql`${column} ${sql.raw(value.operator)} ${bind((given) => (given.where[name] as Comparison).value)}`
    if (!Array.isArray(value)) return sql`${column} = ${bind((given) => given.where[name])}`
    // PostgreSQL knows no empty list.
    if (value.length === 0) return sql`false`
    const values = bindEach(bind, value, (given) => given.where[name] as readonly unknown[])
    return sql`${column} in (${sql.join(values)})`
  })
  return sql.join([sql`true`, ...conditions], sql` and `)
}

/** Returns a key: choices with the same key share one SQL text. */
const describeChoice = ({ table, where }: Choice): string =>
  `${table} ${Object.entries(where).map(
    ([name, value]) =>
      `${name}${value === null || (Array.isArray(value) ? value.length : value instanceof Comparison && value.operator)}`,
  )}`

/** Order and part of the rows to find. Default: all, the oldest first. */
interface RowRange {
  readonly newestFirst?: boolean
  readonly limit?: number
  readonly offset?: number
}

/** Finds the rows of a table by the values of columns. */
export async function findAll<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  where: Where<Table> = {},
  range: RowRange = {},
): Promise<Row<Table>[]> {
  return decodeRows(table, await select(queries, { ...createChoice(table, where), ...range }))
}

const select = prepared(
  (bind, _queries, given: Choice & RowRange) => sql<object>`
    select * from ${sql.table(given.table)} where ${writeConditions(bind, given)}
    ${'id' in COLUMNS[given.table] ? sql`order by id ${sql.raw(given.newestFirst ? 'desc' : '')}` : sql``}
    ${given.limit === undefined ? sql`` : sql`limit ${atMost(bind(({ limit = 0 }) => limit))} offset ${bind(({ offset = 0 }) => offset)}`}`,
  (given) => `${describeChoice(given)} ${given.newestFirst} ${given.limit === undefined}`,
)

/** Finds one row like `findAll`: the oldest, or with `newestFirst` the newest. */
export async function findOne<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  where: Where<Table> = {},
  range: Pick<RowRange, 'newestFirst'> = {},
): Promise<Row<Table> | undefined> {
  const [row] = await findAll(queries, table, where, { ...range, limit: 1 })
  return row
}

/** Counts rows by the values of columns, at most up to a limit, so that the count stays fast. */
export async function countRows<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  where: Where<Table>,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const [row] = await count(queries, { ...createChoice(table, where), limit })
  return Number(row?.count)
}

const count = prepared(
  (bind, _queries, given: Choice & { readonly limit: number }) => sql<{ count: number | string }>`
    select count(*) as count from (select 1 from ${sql.table(given.table)}
      where ${writeConditions(bind, given)} limit ${atMost(bind('limit'))}) as chosen`,
  describeChoice,
)

/** Changes all rows with these values. @returns the changed rows */
export async function updateRows<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  where: Where<Table>,
  changes: Updateable<Tables[Table]>,
): Promise<Row<Table>[]> {
  const set = removeUndefined(getCodec(table).encode(changes as object))
  return decodeRows(table, await update(queries, { ...createChoice(table, where), set }))
}

const update = prepared(
  (bind, _queries, given: Choice & { readonly set: Readonly<Record<string, unknown>> }) => {
    const changes = Object.keys(given.set).map(
      (name) => sql`${sql.ref(name)} = ${bind(({ set }) => set[name])}`,
    )
    return sql<object>`update ${sql.table(given.table)} set ${sql.join(changes)}
      where ${writeConditions(bind, given)} returning *`
  },
  (given) => `${describeChoice(given)} ${Object.keys(given.set)}`,
)

/** Changes the row with this id. @returns the whole row */
export async function updateRow<Table extends NumberedTable>(
  queries: Queries,
  table: Table,
  id: number,
  changes: Updateable<Tables[Table]>,
): Promise<Row<Table>> {
  const [row] = await updateRows(queries, table, { id } as object, changes)
  if (row) return row
  throw new TypeError(`Row ${id} of ${table} is missing`)
}

/** Deletes all rows with these values. @returns the deleted rows */
export async function deleteRows<Table extends keyof Tables>(
  queries: Queries,
  table: Table,
  where: Where<Table>,
): Promise<Row<Table>[]> {
  return decodeRows(table, await remove(queries, createChoice(table, where)))
}

const remove = prepared(
  (bind, _queries, given: Choice) => sql<object>`
    delete from ${sql.table(given.table)} where ${writeConditions(bind, given)} returning *`,
  describeChoice,
)

/** Finds rows of a merchant by their ids; rows of other merchants are not found. */
export async function findRows<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchant_id: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Row<Table>>> {
  const rows = await byIds(ids, (id) =>
    findAll<Table>(queries, table, { merchant_id, id } as object),
  )
  return new Map(rows.map((row) => [(row as { readonly id: number }).id, row]))
}

/** Finds a row of a merchant by its id; without an id, returns undefined. */
export async function findRow<Table extends ListedTable | 'payment_links'>(
  queries: Queries,
  table: Table,
  merchant_id: number,
  id: number | undefined | null,
): Promise<Row<Table> | undefined> {
  return id == null ? undefined : findOne<Table>(queries, table, { merchant_id, id } as object)
}

/**
 * Finds a row of a merchant and locks it for the rest of this database transaction. A second
 * transaction that wants to change the row waits, and then reads the changes of the first.
 * @param now epoch milliseconds; becomes the row's `updated_at`
 */
export async function holdRow<
  Table extends 'customers' | 'stored_cards' | 'plans' | 'subscriptions',
>(
  queries: Queries,
  table: Table,
  merchant_id: number,
  id: number | undefined,
  now: number,
): Promise<Row<Table> | undefined> {
  if (id === undefined) return undefined
  const changes = { updated_at: now } as object as Updateable<Tables[Table]>
  const [row] = await updateRows<Table>(queries, table, { merchant_id, id } as object, changes)
  return row
}
