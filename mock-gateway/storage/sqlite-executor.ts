import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DialectAdapter,
  type QueryCompiler,
  type QueryResult,
} from 'kysely'

/**
 * Runs Kysely's queries on the one connection of SQLite. Its calls are synchronous, so a query runs
 * immediately, without Kysely's queue and pool, which take longer than most queries. While a
 * transaction uses the connection, other queries wait until it ends, however long that takes: they
 * see all of its changes or none.
 */
export class SqliteExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts
  readonly #isFree: () => boolean

  constructor(parts: Parts, { provider, isFree }: ConnectionQueue = createQueue(parts.connection)) {
    super(parts.compiler, parts.adapter, provider)
    this.#parts = parts
    this.#isFree = isFree
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#isFree()
      ? this.#parts.connection.executeQuery<Row>(query)
      : super.executeQuery<Row>(query)
  }

  /** Creates an executor for a caller that already has the connection. */
  override withConnectionProvider(provider: ConnectionProvider): SqliteExecutor {
    return new SqliteExecutor(this.#parts, { provider, isFree: () => true })
  }
}

interface Parts {
  readonly compiler: QueryCompiler
  readonly adapter: DialectAdapter
  readonly connection: DatabaseConnection
}

interface ConnectionQueue {
  readonly provider: ConnectionProvider
  /** Returns true if the connection is free. */
  readonly isFree: () => boolean
}

/** Lends the connection to one caller after the other. */
function createQueue(connection: DatabaseConnection): ConnectionQueue {
  let last: Promise<unknown> = Promise.resolve()
  let taken = 0
  const provider: ConnectionProvider = {
    provideConnection(consumer) {
      taken += 1
      const turn = last.then(() => consumer(connection))
      last = turn.then(leave, leave)
      return turn
    },
  }
  const leave = () => {
    taken -= 1
  }
  return { provider, isFree: () => taken === 0 }
}
