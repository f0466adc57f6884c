import { type DatabaseSyncOptions, DatabaseSync as OwnDatabaseSync } from 'node:sqlite'
import { runningProcess } from '../runs/machine.ts'

/**
 * `node:sqlite` as gateways of a run have it: what a process has open ends with it, and none waits
 * for another inside of a call, where the whole run would wait.
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
