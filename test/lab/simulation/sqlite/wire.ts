import type { CompiledQuery } from 'kysely'
import { drawWait } from '../faults/rates.ts'
import type { WireParts } from '../runs/data.ts'
import { runningProcess } from '../runs/machine.ts'

/** Connection of a query to the database and back. */
export type Wire = <Result>(query: CompiledQuery, run: () => Promise<Result>) => Promise<Result>

/** Errors of SQLite with their result codes. */
const BUSY = { errcode: 5, message: 'database is locked' }
const BROKEN = { errcode: 10, message: 'disk I/O error' }
const FULL = { errcode: 13, message: 'database or disk is full' }

/**
 * Milliseconds that a query waits, with their weights. Usually other queries run in between, and
 * sometimes a whole second passes.
 */
const WAITS = { 3: 80, 40: 18, 1500: 2 }

/**
 * Creates the wire between gateways and their database.
 * @param flushed called when a commit has waited for the disk
 */
export function createWire(
  { scheduler, chance, rates, onFault }: WireParts,
  flushed: () => void,
): Wire {
  /** Processes whose commits do not wait for the disk. */
  const unflushed = new WeakSet<object>()

  async function wait() {
    if (chance.happens(rates().queryWaits))
      await scheduler.sleep(drawWait(chance, WAITS), runningProcess())
  }

  let failures = 0
  function fail(probability: number, facts: typeof BUSY, sql: string) {
    if (!chance.happens(probability)) return
    failures += 1
    onFault(`${facts.message}: ${sql}`)
    throw Object.assign(new Error(facts.message), facts)
  }

  function noteFlush(sql: string) {
    const process = runningProcess()
    if (!process) return
    if (sql === 'pragma synchronous = normal') unflushed.add(process)
    if (sql === 'pragma synchronous = full') unflushed.delete(process)
    if (sql === 'commit' && !unflushed.has(process)) flushed()
  }

  return async (query, run) => {
    if (!runningProcess()) return run()
    const { sql } = query
    await wait()
    if (sql === 'begin immediate') fail(rates().databaseBusy, BUSY, sql)
    // A rollback always succeeds, because SQLite itself rolls back if the call is lost.
    if (!sql.startsWith('rollback'))
      fail(rates().queryFails, failures % 2 === 0 ? BROKEN : FULL, sql)
    const result = await run()
    noteFlush(sql)
    scheduler.note(sql)
    await wait()
    // The answer of a call to SQLite cannot be lost, but a disk that reports a failure can have
    // stored the commit.
    if (sql === 'commit')
      fail(rates().commitLost, { ...BROKEN, message: 'disk I/O error, after it was done' }, sql)
    return result
  }
}
