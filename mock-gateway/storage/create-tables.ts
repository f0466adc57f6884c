import type { DatabaseSync } from 'node:sqlite'
import { NEW_SQLITE_TABLES } from './migrations/new-sqlite-tables.ts'

/**
 * Creates the tables of a new SQLite database, as all migrations together would, in a fifth of
 * their time. Does nothing if there are tables.
 */
export function createTables(database: DatabaseSync): void {
  const isNew = () => database.prepare('select 1 from sqlite_master').get() === undefined
  if (!isNew()) return
  database.exec('begin immediate')
  // Another process may have created them meanwhile.
  if (isNew()) database.exec(NEW_SQLITE_TABLES)
  database.exec('commit')
}
