import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { BUSY_MS, OWNER_ONLY } from './sqlite.ts'
import { UnavailableError } from './unavailable.ts'

/** Processes that share the data and are moving a clock, as far as this process can tell. */
export interface Movers {
  /**
   * Registers as a mover.
   * @returns a function that ends this
   */
  join(): () => void
  /** False if no mover is alive: then the process that claimed to move a clock has died. */
  mayLive(): boolean
}

/** The data are of this process alone. */
export const NO_MOVERS: Movers = { join: () => () => {}, mayLive: () => false }

/** The movers of a database across a network, where a process cannot see the others. */
export const UNKNOWN_MOVERS: Movers = { join: () => () => {}, mayLive: () => true }

/**
 * Movers on one machine: each locks a file of its own next to the data, and the operating system
 * frees the locks of a dead process. The file stays empty: every system supports SQLite's locks.
 * @param target path of the data file
 * @returns functions that throw UnavailableError if that file cannot be opened
 */
export function lockingMovers(target: string): Movers {
  const path = `${target}-moving`

  function open() {
    try {
      closeSync(openSync(path, 'a', OWNER_ONLY))
      return new DatabaseSync(path, { timeout: BUSY_MS })
    } catch {
      throw new UnavailableError(
        'The lock file of the clock cannot be opened. Check the data folder.',
      )
    }
  }

  return {
    join() {
      const file = open()
      // A read that is not ended: it shares the lock with other movers.
      file.exec('begin; select count(*) from sqlite_schema')
      return () => file.close()
    },
    mayLive() {
      const file = open()
      try {
        file.exec('begin exclusive')
        return false
      } catch {
        return true
      } finally {
        file.close()
      }
    },
  }
}
