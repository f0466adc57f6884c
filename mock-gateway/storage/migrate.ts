import { CompiledQuery, type Kysely, sql } from 'kysely'
import { timers } from '../domain/timers.ts'
import {
  createAddedColumns,
  createFirstTables,
  type Migration,
  SCHEMA,
} from './migrations/tables.ts'
import { COLUMNS, type Dialect, type StoredTables } from './tables/schema.ts'

/**
 * Every change of the tables, oldest first. The first creates `COLUMNS`; the others follow from its
 * columns with `addedBy`. A released change is never edited.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-first-tables': createFirstTables(COLUMNS),
  ...createAddedColumns(COLUMNS),
}

/** The database contains tables of another program. */
export class ForeignTablesError extends Error {
  override readonly name = 'ForeignTablesError'
}

/**
 * The data was written by another version of the gateway, as a rule a newer one; this one would
 * damage it.
 */
export class UnsupportedSchemaError extends Error {
  override readonly name = 'UnsupportedSchemaError'
}

/**
 * Migrates the tables to this version, completely or not at all, one process at a time: a gateway
 * that was killed meanwhile starts again, and two gateways can start simultaneously.
 * @throws UnsupportedSchemaError if the database has a migration that this version does not know
 * @throws ForeignTablesError if there are tables but no migrations
 */
export function migrateToLatest(db: Kysely<StoredTables>, dialect: Dialect): Promise<void> {
  return runAlone(db, dialect, async (connection) => {
    const applied = await findApplied(connection, dialect)
    for (const [name, migration] of Object.entries(MIGRATIONS)) {
      if (applied.includes(name)) continue
      const record = `insert into migrations values ('${name}')`
      for (const statement of [...migration(dialect), record])
        await connection.executeQuery(CompiledQuery.raw(statement))
    }
  })
}

async function runAlone(
  db: Kysely<StoredTables>,
  dialect: Dialect,
  work: (connection: Kysely<StoredTables>) => Promise<void>,
): Promise<void> {
  // SQLite blocks this process while it waits for a lock, so two gateways of one process must not
  // be here simultaneously: the code below stays in one turn of the event loop.
  await timers.nextTurn()
  await db.connection().execute(async (connection) => {
    const run = (statement: string) => connection.executeQuery(CompiledQuery.raw(statement))
    await run(dialect === 'sqlite' ? 'begin immediate' : 'begin')
    try {
      // A lock of the database by its name, which ends with the transaction.
      if (dialect === 'postgres')
        await run(`select pg_advisory_xact_lock(hashtext('${SCHEMA} migrations'))`)
      await work(connection)
      await run('commit')
    } catch (error) {
      await run('rollback')
      throw error
    }
  })
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

/** Returns the names of the migrations that the database has; none if it is empty. */
async function findApplied(db: Kysely<StoredTables>, dialect: Dialect): Promise<string[]> {
  const select = async (query: string) =>
    (await sql.raw<{ name: string }>(query).execute(db)).rows.map(({ name }) => name)
  const tables = await select(TABLES[dialect])
  if (tables.length === 0) return []
  if (tables.includes('kysely_migration')) throw new UnsupportedSchemaError(MOVE_AWAY[dialect])
  if (!tables.includes('migrations'))
    throw new ForeignTablesError(
      `there are tables that are not the gateway's ("${dialect === 'postgres' ? SCHEMA : 'main'}.${tables[0]}"); ` +
        'give it a database of its own',
    )
  const applied = await select('select name from migrations')
  // Its snapshots have no tables.
  if (applied.includes('0001-tables')) throw new UnsupportedSchemaError(MOVE_AWAY[dialect])
  const unknown = applied.find((name) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown === undefined) return applied
  throw new UnsupportedSchemaError(
    `The data was written by another version of the gateway (it has the change "${unknown}"). ` +
      'Use that version, or start with another data folder.',
  )
}
