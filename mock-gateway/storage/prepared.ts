import type { CompiledQuery } from 'kysely'
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
 * A query whose text is put together once for each database. For those that every payment or read runs: putting
 * them together takes longer than running them.
 */
export function prepared<Values, Row>({ build, bind, shape = () => '' }: Preparation<Values, Row>) {
  const texts = new WeakMap<object, Map<string, CompiledQuery<Row>>>()
  return async (queries: Queries, values: Values): Promise<Row[]> => {
    const key = shape(values)
    const query = key === undefined ? build(queries, values).compile(queries) : known(queries, values, key)
    return (await queries.getExecutor().executeQuery<Row>(query)).rows
  }

  function known(queries: Queries, values: Values, key: string): CompiledQuery<Row> {
    const { adapter } = queries.getExecutor()
    const ofDatabase = texts.get(adapter) ?? new Map<string, CompiledQuery<Row>>()
    texts.set(adapter, ofDatabase)
    const query = ofDatabase.get(key) ?? build(queries, values).compile(queries)
    ofDatabase.set(key, query)
    return { ...query, parameters: bind(values) }
  }
}
