import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FieldType, Filter, Listing, ResourceFields } from '../domain/listing.ts'
import { decodeRows, findRows, type Row, type StoredRow } from './rows.ts'
import { type Dialect, LISTED_FIELDS, type ListedTable, type Queries } from './tables/schema.ts'

/** A page of a list. */
export interface ListPage<R> {
  /** Its rows in batches, so that a reader of a very long page can stop early. */
  readonly batches: Iterable<readonly R[]> | AsyncIterable<readonly R[]>
  /** Number of rows in the whole list. */
  readonly total: number
}

/** The rows a list is made of: a merchant's, or of these one customer's and so on. */
export interface Scope {
  readonly merchantId: number
  /** Further columns that must have these values. */
  readonly where?: Readonly<Record<string, number>>
}

/**
 * Reads one page; the same for every resource (specification: Listing, pagination, ordering,
 * filtering).
 */
export async function readPage<Table extends ListedTable>(
  queries: Queries,
  dialect: Dialect,
  table: Table,
  scope: Scope,
  listing: Listing,
): Promise<ListPage<Row<Table>>> {
  // A page of many rows is chosen first and read by and by: one row may have a few hundred KB.
  const atOnce = listing.limit <= BATCH
  const request = { dialect, table, scope, listing, columns: atOnce ? '*' : 'id' } as const
  const rows = (await selectPage(queries, request)) as (StoredRow<Table> & {
    readonly id: number
  })[]
  const { limit, offset } = listing
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
  const total = isLast ? offset + rows.length : await selectTotal(queries, request)
  if (atOnce) return { batches: [decodeRows(table, rows)], total }
  const ids = rows.map(({ id }) => id)
  return { batches: readInBatches(queries, table, scope.merchantId, ids), total }
}

/** Parameters of the queries for a page. */
interface PageRequest {
  readonly dialect: Dialect
  readonly table: ListedTable
  readonly scope: Scope
  readonly listing: Listing
  readonly columns: '*' | 'id'
}

async function selectPage(queries: Queries, request: PageRequest) {
  const { dialect, table, listing, columns } = request
  const order = orderBy(listing, LISTED_FIELDS[table], dialect)
  const page = (
    chosen: string,
  ) => sql`select ${sql.raw(chosen)} from ${sql.table(table)} where ${conditions(request)}
    order by ${order} limit ${writeWholeNumber(listing.limit)} offset ${listing.offset}`
  // Rows found by an index may need sorting: their ids are sorted before whole rows are read.
  const query =
    columns === '*' && listing.filters.length > 0
      ? sql`select * from ${sql.table(table)} where id in (${page('id')}) order by ${order}`
      : page(columns)
  return (await query.execute(queries)).rows
}

/**
 * Counts the rows of a list. Triggers count all rows of a merchant in `row_counts`, so the total of
 * a million rows is read as quickly as the total of ten. A filtered list is counted here.
 */
async function selectTotal(queries: Queries, request: PageRequest): Promise<number> {
  const { table, scope, listing } = request
  const isWhole =
    scope.where === undefined && listing.startId === undefined && listing.filters.length === 0
  const query = isWhole
    ? sql<Total>`select coalesce(sum(count), 0) as total from row_counts
        where table_name = ${table} and merchant_id = ${scope.merchantId}`
    : sql<Total>`select count(*) as total from ${sql.table(table)} where ${conditions(request)}`
  // PostgreSQL's sum of whole numbers has no limit, so it comes as text.
  return Number((await query.execute(queries)).rows[0]?.total)
}

interface Total {
  readonly total: number | string
}

function conditions({ dialect, scope, listing }: PageRequest): RawBuilder<unknown> {
  const start = startCondition(listing)
  const all = [
    sql`merchant_id = ${scope.merchantId}`,
    ...Object.entries(scope.where ?? {}).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    ),
    ...listing.filters.map((filter) => condition(filter, dialect)),
    ...(start ? [start] : []),
  ]
  return sql.join(all, sql` and `)
}

/** Number of rows of a long page that are in memory at the same time. */
const BATCH = 50

async function* readInBatches<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  ids: readonly number[],
) {
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH)
    const found = await findRows(queries, table, merchantId, batch)
    yield batch.flatMap((id) => found.get(id) ?? [])
  }
}

function startCondition({ startId, order }: Listing) {
  if (startId === undefined) return undefined
  return order.direction === 'desc' ? sql`id <= ${startId}` : sql`id >= ${startId}`
}

/** Both databases in the same order: text by its bytes, nothing before something, equals by id. */
function orderBy(
  { order: { field, direction } }: Listing,
  fields: ResourceFields,
  dialect: Dialect,
): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  if (field === 'id') return sql`id ${way}`
  const nulls = direction === 'asc' ? sql`nulls first` : sql`nulls last`
  const column =
    dialect === 'postgres' && TEXT_TYPES.has(fields[field])
      ? sql`${sql.ref(field)} collate "C"`
      : sql.ref(field)
  return sql`${column} ${way} ${nulls}, id ${way}`
}

const TEXT_TYPES: ReadonlySet<FieldType | undefined> = new Set<FieldType>([
  'string',
  'word',
  'exact',
])

/** Compares the last four digits, in the form of the index `transactions_by_card`. */
const lastFourIs = (end: string): RawBuilder<SqlBool> =>
  sql`card_number is not null and substr(card_number, length(card_number) - 3) = ${end.slice(-4)}`

/** Turns a filter into a condition. Wildcards are case-sensitive on both databases. */
function condition(filter: Filter, dialect: Dialect): RawBuilder<SqlBool> {
  const column = sql.ref(filter.field)
  switch (filter.kind) {
    case 'equals':
      return sql`${column} = cast(${filter.value} as text)`
    case 'boolean':
      return sql`${column} = ${filter.value ? 1 : 0}`
    case 'like': {
      const end = filter.parts.at(-1) ?? ''
      const like =
        dialect === 'sqlite'
          ? sql<SqlBool>`${column} glob ${filter.parts.map(escapeGlob).join('*')}`
          : sql<SqlBool>`${column} like ${filter.parts.map(escapeLike).join('%')}`
      if (filter.field !== 'card_number' || end.length < 4) return like
      // An index contains the last digits of cards, and no other digits.
      const isThatAll = filter.parts.join('*') === `*${end}` && end.length === 4
      return isThatAll ? lastFourIs(end) : sql<SqlBool>`(${like} and ${lastFourIs(end)})`
    }
    case 'range': {
      const { from, to } = filter
      if (from !== undefined && from === to) return sql`${column} = ${writeWholeNumber(from)}`
      const bounds = [
        ...(from === undefined ? [] : [sql`${column} >= ${writeWholeNumber(from)}`]),
        ...(to === undefined ? [] : [sql`${column} <= ${writeWholeNumber(to)}`]),
      ]
      return sql`(${sql.join(bounds, sql` and `)})`
    }
  }
}

/**
 * PostgreSQL rejects a number that is too large for its column. If a limit or a status is only a
 * parameter, SQLite prepares the statement again for each value, which doubles the time of a short
 * list: the value could decide which index it uses.
 */
const writeWholeNumber = (bound: number) => sql`cast(${bound} as bigint)`

const escapeGlob = (text: string) => text.replace(/[*?[]/g, '[$&]')
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
