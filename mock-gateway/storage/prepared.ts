import { isDeepStrictEqual } from 'node:util'
import { type CompiledQuery, type QueryResult, SqliteAdapter } from 'kysely'
import type { Queries } from './tables/schema.ts'

/** A query whose SQL is compiled once, and the values that each run binds to it. */
export interface Preparation<Values, Row> {
  readonly build: (
    queries: Queries,
    values: Values,
  ) => { compile(queries: Queries): CompiledQuery<Row> }
  /** Returns the values in the order of the parameters in the SQL. */
  readonly bind: (values: Values) => readonly unknown[]
  /**
   * Returns a key: values with the same key share one SQL text. Default: one text for all values.
   */
  readonly shape?: (values: Values) => string
}

/**
 * Creates a query whose SQL is compiled once for each kind of database. Only for queries that run
 * for each payment, read, webhook or charge: for these, Kysely takes longer to compile the SQL than
 * the database to run it. Every other query is plain Kysely.
 */
export function prepared<Values, Row>(preparation: Preparation<Values, Row>) {
  const run = runner(preparation)
  return async (queries: Queries, values: Values): Promise<Row[]> =>
    (await run(queries, values)).rows
}

/** An insert of several rows into a table with ids, in one query. */
interface InsertStatement<New> extends Omit<Preparation<readonly New[], never>, 'build'> {
  readonly build: (queries: Queries, rows: readonly New[]) => Insert
}

type Insert = ReturnType<Preparation<never, never>['build']> & {
  returning(column: 'id'): ReturnType<Preparation<never, { id: number }>['build']>
}

/**
 * Creates an insert like `prepared`. It returns the ids in the order of the rows. SQLite reports
 * the last id by itself and is a quarter slower with `returning`; PostgreSQL needs `returning`, and
 * may list the ids in any order.
 */
export function preparedInsert<New>({ build, ...how }: InsertStatement<New>) {
  const run = runner<readonly New[], { id: number }>({
    ...how,
    build(queries, rows) {
      const insert = build(queries, rows)
      return queries.getExecutor().adapter instanceof SqliteAdapter
        ? insert
        : insert.returning('id')
    },
  })
  return async (queries: Queries, rows: readonly New[]): Promise<number[]> => {
    const { insertId, rows: inserted } = await run(queries, rows)
    return insertId === undefined
      ? inserted.map(({ id }) => id).sort((one, other) => one - other)
      : rows.map((_row, place) => Number(insertId) - rows.length + 1 + place)
  }
}

/**
 * Each text is compared once, when it is compiled. @throws TypeError if `bind` states other values,
 * or another order
 */
function requireSameParameters(
  { sql, parameters }: CompiledQuery,
  bound: readonly unknown[],
): void {
  if (!isDeepStrictEqual([...parameters], [...bound]))
    throw new TypeError(`bind() does not state the parameters of this query in their order: ${sql}`)
}

/** Maximum number of cached texts of one query: a change can affect any set of columns. */
const MOST_TEXTS = 500

function runner<Values, Row>({ build, bind, shape = () => '' }: Preparation<Values, Row>) {
  const texts = new Map<unknown, Map<string, CompiledQuery<Row>>>()
  return (queries: Queries, values: Values): Promise<QueryResult<Row>> => {
    return queries.getExecutor().executeQuery<Row>(compiled(queries, values, shape(values)))
  }

  function compiled(queries: Queries, values: Values, key: string): CompiledQuery<Row> {
    const dialect = queries.getExecutor().adapter.constructor
    const ofDialect = texts.get(dialect) ?? new Map<string, CompiledQuery<Row>>()
    texts.set(dialect, ofDialect)
    const parameters = bind(values)
    let query = ofDialect.get(key)
    if (query === undefined) {
      query = build(queries, values).compile(queries)
      requireSameParameters(query, parameters)
      if (ofDialect.size >= MOST_TEXTS) ofDialect.clear()
      ofDialect.set(key, query)
    }
    return { ...query, parameters }
  }
}
