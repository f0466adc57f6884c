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
 * What Kysely runs queries with on the one connection of SQLite, which answers in the call itself:
 * a query is run as soon as it is asked, without the way through Kysely's queue and pool, which
 * takes longer than most queries. While a transaction has the connection, others wait until it is
 * over, however many turns of the event loop that takes: they see all of it or nothing.
 */
export class SqliteExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts
  readonly #isFree: () => boolean

  constructor(parts: Parts, { provider, isFree }: ConnectionQueue = queueOf(parts.connection)) {
    super(parts.compiler, parts.adapter, provider)
    this.#parts = parts
    this.#isFree = isFree
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#isFree()
      ? this.#parts.connection.executeQuery<Row>(query)
      : super.executeQuery<Row>(query)
  }

  /** For whoever has the connection already. */
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
  /** Whether nobody has the connection. */
  readonly isFree: () => boolean
}

/** Gives the connection to one after the other. */
function queueOf(connection: DatabaseConnection): ConnectionQueue {
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
