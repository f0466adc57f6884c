import { type DatabaseSyncOptions, DatabaseSync as OwnDatabaseSync } from 'node:sqlite'
import { runningProcess } from '../runs/machine.ts'

/**
 * Replacement of `node:sqlite` in a run. Open databases are closed when their simulated process
 * ends, and no call waits for a lock, because then the whole run would wait.
 */
export class DatabaseSync extends OwnDatabaseSync {
  constructor(path: string, options: DatabaseSyncOptions = {}) {
    super(path, { ...options, timeout: 0 })
    runningProcess()?.connections.add(this)
  }
  override prepare(statement: string) {
    return super.prepare(/busy_timeout/.test(statement) ? 'pragma busy_timeout = 0' : statement)
  }
}
