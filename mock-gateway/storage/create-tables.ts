import type { DatabaseSync } from 'node:sqlite'
import { MIGRATIONS } from './migrate.ts'

/** The tables in which Kysely records migrations. */
const RECORD = [
  'create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)',
  'create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null)',
  "insert into kysely_migration_lock values ('migration_lock', 0)",
]

/**
 * Creates the tables of a new SQLite database, as all migrations together would, in a fifth of
 * their time. Does nothing if there are tables.
 */
export function createTables(database: DatabaseSync): void {
  const isNew = () => database.prepare('select 1 from sqlite_master').get() === undefined
  if (!isNew()) return
  const statements = [
    ...RECORD,
    ...Object.entries(MIGRATIONS).flatMap(([name, migration]) => [
      ...migration('sqlite'),
      `insert into kysely_migration values ('${name}', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
    ]),
  ]
  database.exec('begin immediate')
  // Another process may have created them meanwhile.
  if (isNew()) database.exec(statements.join(';'))
  database.exec('commit')
}
