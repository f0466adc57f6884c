import { setTimeout as pause } from 'node:timers/promises'
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { SqliteExecutor } from '../../mock-gateway/storage/sqlite-executor.ts'

/**
 * Classes that run queries on both databases. The first one calls the second one for a query that
 * must wait for its turn.
 */
const EXECUTORS = [SqliteExecutor.prototype, DefaultQueryExecutor.prototype]

/**
 * Function that returns the milliseconds that a query waits before it runs, and again before its
 * answer arrives.
 */
type Wait = (sql: string) => number

/**
 * Delays the queries of every database in the surrounding tests, like a network. So tests on
 * SQLite, which otherwise answers synchronously, also find code that does not wait for another
 * query.
 * @param wait default: eight different delays in turn, the same in each run
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
