import type { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { type MigrationProvider, Migrator } from 'kysely/migration'
import { timers } from '../domain/timers.ts'
import { addedColumns, firstTables, type Migration } from './migrations/tables.ts'
import { COLUMNS, type Dialect, type StoredTables } from './tables/schema.ts'

/**
 * Every change of the tables, oldest first. The first creates `COLUMNS`; the others follow from its
 * columns with `addedBy`. A released change is never edited.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': firstTables(COLUMNS),
  ...addedColumns(COLUMNS),
}

/** Schema of the tables in a PostgreSQL database, which can also be a shop's (our decision). */
export const SCHEMA = 'mondido'

/** The database contains tables of another program. */
export class ForeignTablesError extends Error {
  override readonly name = 'ForeignTablesError'
}

/**
 * The data was written by another version of the gateway, as a rule a newer one; this one would
 * damage it.
 */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

/**
 * Migrates the tables to this version.
 * @throws NewerSchemaError if the database has a migration that this version does not know
 * @throws ForeignTablesError if there are tables but no migrations
 */
export async function migrateToLatest(db: Kysely<StoredTables>, dialect: Dialect): Promise<void> {
  await runInTransaction(db, dialect, async (connection) => {
    if (await isUpToDate(connection, dialect)) return
    await run(migrator(connection, dialect).migrateToLatest())
  })
}

/**
 * Runs a migration completely or not at all, one process at a time: a gateway that was killed
 * meanwhile starts again, and two gateways can start simultaneously. The migrator does so on
 * PostgreSQL; on SQLite it uses neither a lock nor a transaction.
 */
function runInTransaction(
  db: Kysely<StoredTables>,
  dialect: Dialect,
  work: (db: Kysely<StoredTables>) => Promise<void>,
): Promise<void> {
  if (dialect === 'postgres') return work(db)
  return db.connection().execute(async (connection) => {
    // Runs in a turn of the event loop of its own. SQLite blocks this process while it waits for a
    // lock, so two gateways of one process must not be here simultaneously. The code below stays in
    // that turn.
    await timers.nextTurn()
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    try {
      await work(connection)
      await connection.executeQuery(CompiledQuery.raw('commit'))
    } catch (error) {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
      throw error
    }
  })
}

function migrator(db: Kysely<StoredTables>, dialect: Dialect): Migrator {
  const provider: MigrationProvider = {
    getMigrations: async () =>
      Object.fromEntries(
        Object.entries(MIGRATIONS).map(([name, migration]) => [
          name,
          {
            async up(connection: Kysely<unknown>) {
              for (const statement of migration(dialect))
                await sql.raw(statement).execute(connection)
            },
          },
        ]),
      ),
  }
  // A schema that is named is made, too.
  return new Migrator(
    dialect === 'postgres' ? { db, provider, migrationTableSchema: SCHEMA } : { db, provider },
  )
}

async function run(result: ReturnType<Migrator['migrateToLatest']>) {
  const { error } = await result
  if (error) throw error
}

/** What to do with the data of a version before the release of 2.0.0. */
const MOVE_AWAY: Readonly<Record<Dialect, string>> = {
  sqlite:
    'The data are from a version before 2.0.0: move the data folder away, for example with "mv .mondido .mondido-old", and start again.',
  postgres: `The data are from a version before 2.0.0: rename their schema, for example with "alter schema ${SCHEMA} rename to ${SCHEMA}_old", and start again.`,
}

/** Names of the tables that there are. */
const TABLES: Readonly<Record<Dialect, string>> = {
  sqlite:
    "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite|_%' escape '|'",
  postgres: `select tablename as name from pg_tables where schemaname = '${SCHEMA}'`,
}

/**
 * Returns true if there is nothing to migrate, as at almost every start: the migrator would read
 * every column to find out.
 */
async function isUpToDate(db: Kysely<StoredTables>, dialect: Dialect): Promise<boolean> {
  const names = async (query: CompiledQuery<{ name: string }>) =>
    (await db.executeQuery(query)).rows.map(({ name }) => name)
  const tables = await names(CompiledQuery.raw(TABLES[dialect]) as CompiledQuery<{ name: string }>)
  if (tables[0] === undefined) return false
  if (!tables.includes('kysely_migration'))
    throw new ForeignTablesError(
      `there are tables that are not the gateway's ("${dialect === 'postgres' ? SCHEMA : 'main'}.${tables[0]}"); ` +
        'give it a database of its own',
    )
  const migrations = db as unknown as Kysely<{ kysely_migration: { name: string } }>
  const applied = await names(migrations.selectFrom('kysely_migration').select('name').compile())
  if (applied.includes('0001-first-tables')) throw new NewerSchemaError(MOVE_AWAY[dialect])
  const unknown = applied.find((name) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown !== undefined)
    throw new NewerSchemaError(
      `The data was written by another version of the gateway (it has the change "${unknown}"). ` +
        'Use that version, or start with another data folder.',
    )
  return applied.length === Object.keys(MIGRATIONS).length
}

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
