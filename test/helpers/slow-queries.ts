import { setTimeout as pause } from 'node:timers/promises'
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { SqliteExecutor } from '../../mock-gateway/storage/sqlite-executor.ts'

/**
 * What runs the queries of both databases; the first calls the second for what has to wait for its
 * turn.
 */
const EXECUTORS = [SqliteExecutor.prototype, DefaultQueryExecutor.prototype]

/** Milliseconds that a query waits before it is run, and as many before its answer is heard. */
type Wait = (sql: string) => number

/**
 * Lets queries of every database of the tests around it wait, as over a network. What has to wait
 * for another's query, and does not, is found on SQLite too then, which answers in the call itself
 * otherwise.
 * @param wait default: one of eight waits, some long, some short; each run of the tests alike
 */
export function slowQueries(wait: Wait = unevenly()): void {
  const known = EXECUTORS.map((prototype) =>
    Object.getOwnPropertyDescriptor(prototype, 'executeQuery'),
  )
  beforeAll(() => {
    for (const prototype of EXECUTORS) {
      const { executeQuery } = prototype
      prototype.executeQuery = async function <Row>(
        this: DefaultQueryExecutor,
        query: CompiledQuery,
      ) {
        const milliseconds = wait(query.sql)
        if (milliseconds > 0) await pause(milliseconds)
        const execute: typeof executeQuery = executeQuery.bind(this)
        const answer = await execute<Row>(query)
        if (milliseconds > 0) await pause(milliseconds)
        return answer
      }
    }
  })
  afterAll(() => {
    EXECUTORS.forEach((prototype, place) => {
      const descriptor = known[place]
      Reflect.deleteProperty(prototype, 'executeQuery')
      if (descriptor) Object.defineProperty(prototype, 'executeQuery', descriptor)
    })
  })
}

function unevenly(): Wait {
  let state = 1
  return () => {
    // Lehmer's generator.
    state = (state * 48_271) % 2_147_483_647
    return state % 8 === 0 ? (state >> 8) % 12 : 0
  }
}
