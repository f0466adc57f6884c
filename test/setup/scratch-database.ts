import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { SCHEMA } from '../../mock-gateway/storage/migrations/tables.ts'

/** Database that no other test uses. */
export interface ScratchDatabase {
  readonly name: string
  /** `postgres://` address of the database. */
  readonly url: string
  /** Deletes the database, also if connections to it are still open. */
  drop(): Promise<void>
}

async function command(server: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const EMPTY = 'template0'

const nameAfter = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

/**
 * Creates a database, which the caller drops. It copies files, which costs a fifth of writing them
 * to the log (PostgreSQL 15).
 * @param server address of a server on which databases can be created
 * @param template database to copy; by default an empty one
 */
export async function scratchDatabaseOn(
  server: string,
  template = EMPTY,
): Promise<ScratchDatabase> {
  const name = nameAfter(template === EMPTY ? 'mondido_test' : template)
  await command(
    server,
    `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8' STRATEGY FILE_COPY`,
  )
  return databaseOf(server, name)
}

function databaseOf(server: string, name: string): ScratchDatabase {
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    name,
    url: url.href,
    drop: async () => {
      await command(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

/** Size above which tables are truncated, because many deleted rows would slow down queries. */
const LARGE_BYTES = 2 ** 16

/**
 * SQL that deletes all rows and snapshots of a gateway, so that ids begin at 1 again. TRUNCATE creates the files
 * of every table, index and sequence again, which costs more than deleting the few rows of a test.
 * One statement deletes them, because foreign keys are checked after it. Triggers then count rows
 * in `row_counts`, which is emptied last.
 */
const EMPTY_TABLES = `DO $$ DECLARE names regclass[]; BEGIN
  EXECUTE (SELECT coalesce('DROP TABLE ' || string_agg(format('%I.%I', schemaname, tablename), ', '), 'SELECT 1')
    FROM pg_tables WHERE schemaname = '${SCHEMA}' AND tablename ~ '^snapshot_[0-9]+_');
  SELECT array_agg(format('%I.%I', schemaname, tablename)::regclass) INTO names FROM pg_tables
    WHERE schemaname = '${SCHEMA}' AND tablename <> 'migrations';
  IF (SELECT max(pg_relation_size(name)) FROM unnest(names) name) > ${LARGE_BYTES} THEN
    EXECUTE 'TRUNCATE ' || array_to_string(names, ', ');
  ELSE
    EXECUTE (SELECT 'WITH ' || string_agg(format('d%s AS (DELETE FROM %s)', name::oid, name), ', ') || ' SELECT 1'
      FROM unnest(names) name WHERE pg_relation_size(name) > 0 OR name = '${SCHEMA}.row_counts'::regclass);
    DELETE FROM ${SCHEMA}.row_counts;
  END IF;
  PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = '${SCHEMA}' AND last_value IS NOT NULL;
END $$`

/**
 * Empties the tables of a database on this server.
 * @returns the database under a new name, so that a gateway that a test forgot to close cannot
 *   connect to it again
 */
export async function emptied(
  server: string,
  { name }: Pick<ScratchDatabase, 'name'>,
): Promise<ScratchDatabase> {
  const database = databaseOf(server, nameAfter(name.replace(/_[^_]*$/, '')))
  await command(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}';
     ALTER DATABASE ${name} RENAME TO ${database.name}`,
  )
  await command(database.url, EMPTY_TABLES)
  return database
}

/** Drops a template and the databases that were copied from it. */
export async function dropAll(
  server: string,
  template: Pick<ScratchDatabase, 'name'>,
): Promise<void> {
  const named = `SELECT datname FROM pg_database WHERE starts_with(datname, '${template.name}')`
  for (const { datname = '' } of await command(server, named))
    await databaseOf(server, datname).drop()
}
