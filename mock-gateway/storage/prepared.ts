import { type CompiledQuery, type QueryResult, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { Queries } from './tables/schema.ts'

/** States a value that each run of a query binds: `bind('id')`, or `bind(({ ids }) => ids[0])`. */
export interface Bind<Values> {
  <Name extends keyof Values>(name: Name): RawBuilder<Values[Name]>
  <Value>(pick: (values: Values) => Value): RawBuilder<Value>
}

/** Builds a query: once for each database and shape of its values. */
type Build<Values, Row> = (
  bind: Bind<Values>,
  queries: Queries,
  values: Values,
) => { compile(queries: Queries): CompiledQuery<Row> }

/**
 * Creates a query whose SQL is compiled once for each kind of database. Only for queries that run
 * for each payment, read, webhook or charge: for these, Kysely takes longer to compile the SQL than
 * the database to run it. Every other query is plain Kysely.
 * @param build states each value with `bind`; other values are constants of the SQL
 * @param shape key: values with the same key share one SQL text. Default: one text for all values
 */
export function prepared<Values, Row>(
  build: Build<Values, Row>,
  shape?: (values: Values) => string,
) {
  const run = runner(build, shape)
  return async (queries: Queries, values: Values): Promise<Row[]> =>
    (await run(queries, values)).rows
}

/** A parameter in a compiled query, whose value is read at each run. */
class Parameter {
  readonly read: (values: never) => unknown

  constructor(pick: (values: never) => unknown) {
    this.read = pick
  }
}

/** Maximum number of cached texts of one query: a change can affect any set of columns. */
const MOST_TEXTS = 500

/** Creates a function like `prepared`, which returns the whole result. */
export function runner<Values, Row>(
  build: Build<Values, Row>,
  shape: (values: Values) => string = () => '',
) {
  const texts = new Map<string, CompiledQuery<Row>>()
  const bind: Bind<Values> = (pick: keyof Values | ((values: Values) => unknown)) =>
    sql<never>`${new Parameter(typeof pick === 'function' ? pick : (values: Values) => values[pick])}`
  return (queries: Queries, values: Values): Promise<QueryResult<Row>> => {
    const key = `${isSqlite(queries)} ${shape(values)}`
    let query = texts.get(key)
    if (query === undefined) {
      if (texts.size >= MOST_TEXTS) texts.clear()
      query = build(bind, queries, values).compile(queries)
      texts.set(key, query)
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Parameter ? each.read(values as never) : each,
    )
    return queries.getExecutor().executeQuery<Row>({ ...query, parameters })
  }
}

/** Returns true for SQLite, false for PostgreSQL. */
export const isSqlite = (queries: Queries): boolean =>
  queries.getExecutor().adapter instanceof SqliteAdapter

/** States each value of a list. The number of values belongs to the shape of the query. */
export const bindEach = <Values, Value>(
  bind: Bind<Values>,
  list: readonly Value[],
  pick: (values: Values) => readonly Value[],
): RawBuilder<Value>[] => list.map((_, place) => bind((values) => pick(values)[place] as Value))

/** States each column of an object. The names of its columns belong to the shape of the query. */
export const bindColumns = <Values, Row extends object>(
  bind: Bind<Values>,
  row: Row,
  pick: (values: Values) => Row | undefined,
) =>
  Object.fromEntries(
    Object.keys(row).map((name) => [name, bind((values) => pick(values)?.[name as keyof Row])]),
  ) as { [Name in keyof Row]: RawBuilder<Row[Name]> }

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
