import { type CompiledQuery, type QueryResult, SqliteAdapter } from 'kysely'
import type { Queries } from './tables/schema.ts'

/** How a query is put together, and what is bound when it is run. */
export interface Preparation<Values, Row> {
  readonly build: (queries: Queries, values: Values) => { compile(queries: Queries): CompiledQuery<Row> }
  /** The values in the order in which the text takes them. */
  readonly bind: (values: Values) => readonly unknown[]
  /**
   * Values that need another text differ in this. Default: one text for all. Undefined: the text is one of too many to keep,
   * and is put together each time.
   */
  readonly shape?: (values: Values) => string | undefined
}

/**
 * A query whose text is put together once for each kind of database. For those that every payment or read runs: putting
 * them together takes longer than running them.
 */
export function prepared<Values, Row>(preparation: Preparation<Values, Row>) {
  const run = runner(preparation)
  return async (queries: Queries, values: Values): Promise<Row[]> => (await run(queries, values)).rows
}

/** As `prepared`, of a change: gives how many rows it changed. */
export function preparedUpdate<Values>(preparation: Preparation<Values, never>) {
  const run = runner(preparation)
  return async (queries: Queries, values: Values): Promise<number> =>
    Number((await run(queries, values)).numAffectedRows ?? 0)
}

/** How rows of a table with ids are inserted, all in one query. */
interface Insertion<New> extends Omit<Preparation<readonly New[], never>, 'build'> {
  readonly build: (queries: Queries, rows: readonly New[]) => Insert
}

type Insert = ReturnType<Preparation<never, never>['build']> & {
  returning(column: 'id'): ReturnType<Preparation<never, { id: number }>['build']>
}

/**
 * As `prepared`, of an insertion: gives the ids, in the order of the rows. SQLite tells the last one without being asked,
 * and takes a quarter longer when it is asked for all; PostgreSQL has to be, and tells them in any order.
 */
export function preparedInsert<New>({ build, ...how }: Insertion<New>) {
  const run = runner<readonly New[], { id: number }>({
    ...how,
    build(queries, rows) {
      const insert = build(queries, rows)
      return queries.getExecutor().adapter instanceof SqliteAdapter ? insert : insert.returning('id')
    },
  })
  return async (queries: Queries, rows: readonly New[]): Promise<number[]> => {
    const { insertId, rows: inserted } = await run(queries, rows)
    return insertId === undefined
      ? inserted.map(({ id }) => id).sort((one, other) => one - other)
      : rows.map((_row, place) => Number(insertId) - rows.length + 1 + place)
  }
}

/** Texts of one query that are remembered: a change may be of any columns that somebody sends. */
const MOST_TEXTS = 500

function runner<Values, Row>({ build, bind, shape = () => '' }: Preparation<Values, Row>) {
  const texts = new Map<unknown, Map<string, CompiledQuery<Row>>>()
  return (queries: Queries, values: Values): Promise<QueryResult<Row>> => {
    const key = shape(values)
    const query = key === undefined ? build(queries, values).compile(queries) : known(queries, values, key)
    return queries.getExecutor().executeQuery<Row>(query)
  }

  function known(queries: Queries, values: Values, key: string): CompiledQuery<Row> {
    const dialect = queries.getExecutor().adapter.constructor
    const ofDialect = texts.get(dialect) ?? new Map<string, CompiledQuery<Row>>()
    texts.set(dialect, ofDialect)
    const query = ofDialect.get(key) ?? build(queries, values).compile(queries)
    if (ofDialect.size >= MOST_TEXTS) ofDialect.clear()
    ofDialect.set(key, query)
    return { ...query, parameters: bind(values) }
  }
}
