import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely'
import { memoized } from '../domain/memoized.ts'
import { timers } from '../domain/timers.ts'
import { createRowMaker } from './row-maker.ts'
import { SqliteExecutor } from './sqlite-executor.ts'
import type { StoredTables } from './tables/schema.ts'

/**
 * Opens an SQLite database with Node's own `node:sqlite`. A file is opened in WAL mode with
 * synchronous=FULL, so committed data survive a crash and a power loss.
 * @param path of the file, or ':memory:'
 */
export async function openSqlite(path: string): Promise<Kysely<StoredTables>> {
  // SQLite blocks this process while it waits for a lock. In a turn of the event loop of its own,
  // no other gateway of this process has one.
  await timers.nextTurn()
  const database = openFile(path)
  const dialect = new SqliteDialect({ database: adaptDatabase(database) })
  const driver = dialect.createDriver()
  await driver.init()
  const executor = new SqliteExecutor({
    compiler: dialect.createQueryCompiler(),
    adapter: dialect.createAdapter(),
    connection: await driver.acquireConnection(),
  })
  return new Kysely({ config: { dialect }, dialect, driver, executor })
}

function openFile(path: string): DatabaseSync {
  // SQLite would create a file that other users can read. Its journal gets the rights of the file.
  if (path !== ':memory:') closeSync(openSync(path, 'a', OWNER_ONLY))
  const database = new DatabaseSync(path, {
    timeout: OPENING_BUSY_MS,
    enableForeignKeyConstraints: true,
  })
  if (path !== ':memory:') {
    database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${JOURNAL_PAGES}`,
    )
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      if (existsSync(file)) chmodSync(file, OWNER_ONLY)
  }
  database.exec('PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000')
  return database
}

const adaptDatabase = (database: DatabaseSync): SqliteDatabase => ({
  close: () => void (database.isOpen && database.close()),
  prepare: memoized(PREPARED_LIMIT, (sql) => adaptStatement(database.prepare(sql))),
})

/**
 * Number of 4 KB pages after which the journal is copied into the file: then pages that every
 * payment changes are copied once.
 */
const JOURNAL_PAGES = 4_000

/** Secrets and private keys of merchants are in the file. */
export const OWNER_ONLY = 0o600

/** Milliseconds to wait for another process that opens the file or creates its tables. */
const OPENING_BUSY_MS = 5_000

/** Milliseconds that a statement waits for another process; the whole gateway waits with it. */
export const BUSY_MS = 20

/** Lists build a statement per combination of filters; the rest of the gateway uses a few dozen. */
const PREPARED_LIMIT = 500

type Bound = Parameters<StatementSync['run']>

function adaptStatement(statement: StatementSync) {
  const names = statement.columns().map(({ name }) => name)
  const makeRow = createRowMaker(names)
  statement.setReturnArrays(true)
  const rows = (parameters: readonly unknown[]) => {
    // Each row is an array because of `setReturnArrays`, which the types do not consider.
    const lists = statement.all(...(parameters as Bound)) as unknown as (readonly unknown[])[]
    return lists.map(makeRow)
  }
  return {
    reader: names.length > 0,
    all: rows,
    run: (parameters: readonly unknown[]) => statement.run(...(parameters as Bound)),
    iterate: (parameters: readonly unknown[]) => rows(parameters).values(),
  }
}
