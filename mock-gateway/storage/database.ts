import { statSync } from 'node:fs'
import { CompiledQuery, Kysely, type Transaction } from 'kysely'
import { isPostgres } from '../domain/options.ts'
import type { Channel } from './channel.ts'
import { groupCommit } from './group-commit.ts'
import { sealMerchants } from './merchants.ts'
import { migrateToLatest } from './migrate.ts'
import { lockingMovers, type Movers, NO_MOVERS, UNKNOWN_MOVERS } from './movers.ts'
import { keepSecretsWith } from './secrets.ts'
import { BUSY_MS, openSqlite } from './sqlite.ts'
import type { Dialect, Queries, StoredTables } from './tables/schema.ts'
import { UnavailableError } from './unavailable.ts'

/** The gateway's data. Reads go to `db`; everything that changes rows goes through `write`. */
export interface Database {
  readonly dialect: Dialect
  readonly db: Queries
  /**
   * Runs `work` in one database transaction: everything is stored, or nothing if it throws.
   * Resolves after the commit. `work` may await only queries, and may run more than once.
   */
  write<T>(work: (trx: Queries) => Promise<T>): Promise<T>
  /**
   * Like `write`, but alone: the other writes of this process end before, or wait. For work that
   * locks many tables: on PostgreSQL a deadlock of two transactions costs a second.
   */
  writeAlone<T>(work: (trx: Queries) => Promise<T>): Promise<T>
  /**
   * Like `write`, for work that can be repeated if it is lost: the commit does not wait for the
   * disk. It survives a killed process. A power loss can undo everything since the last `write`.
   */
  writeUnflushed<T>(work: (trx: Queries) => Promise<T>): Promise<T>
  readonly movers: Movers
  readonly restores: Restores
  /** Notifications between gateways on one PostgreSQL; undefined for SQLite. */
  readonly channel: Channel | undefined
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a database and migrates its tables.
 * @param target 'memory', a postgres: address, or the path of an SQLite file
 * @param secretsKey as returned by `readSecretsKey`; it encrypts merchants' secrets, also existing
 * unencrypted ones
 * @throws SecretsKeyError if they are encrypted with another key
 * @throws UnsupportedSchemaError if a newer version of the gateway has migrated the tables
 */
export async function openDatabase(target: string, secretsKey?: string): Promise<Database> {
  const dialect: Dialect = isPostgres(target) ? 'postgres' : 'sqlite'
  const db = await OPEN[dialect](target)
  try {
    await migrateToLatest(db, dialect)
    keepSecretsWith(db, secretsKey)
    await sealSecrets(db, dialect)
    if (dialect === 'sqlite')
      await db.executeQuery(CompiledQuery.raw(`pragma busy_timeout = ${BUSY_MS}`))
  } catch (error) {
    await db.destroy()
    throw error
  }
  const write =
    dialect === 'sqlite'
      ? groupCommit(db, target === 'memory' ? () => {} : watchDataFile(target))
      : transactions(db)
  // SQLite has one writer anyway.
  const gate = dialect === 'sqlite' ? undefined : createGate()
  return {
    dialect,
    db,
    write: gate ? (work) => gate.pass(() => write(work, true)) : (work) => write(work, true),
    writeAlone: gate ? (work) => gate.alone(() => write(work, true)) : (work) => write(work, true),
    writeUnflushed: gate
      ? (work) => gate.pass(() => write(work, false))
      : (work) => write(work, false),
    ping: async () => {
      await db.executeQuery(CompiledQuery.raw('select 1'))
    },
    restores: createRestores(),
    movers:
      dialect === 'postgres'
        ? UNKNOWN_MOVERS
        : target === 'memory'
          ? NO_MOVERS
          : lockingMovers(target),
    channel:
      dialect === 'postgres' ? (await import('./channel.ts')).openChannel(target, db) : undefined,
    close: () => db.destroy(),
  }
}

/** Encrypts stored secrets; unencrypted ones are overwritten, in the journal too. */
async function sealSecrets(db: Kysely<StoredTables>, dialect: Dialect): Promise<void> {
  const run = (statement: string) =>
    dialect === 'sqlite' && db.executeQuery(CompiledQuery.raw(statement))
  await run('pragma secure_delete = on')
  if ((await db.transaction().execute(sealMerchants)) > 0)
    await run('pragma wal_checkpoint(truncate)')
}

/** Functions that open a database; each loads its driver when it is called. */
const OPEN = {
  sqlite: (target: string) => openSqlite(target === 'memory' ? ':memory:' : target),
  postgres: async (target: string) =>
    new Kysely<StoredTables>({
      dialect: (await import('./postgres.ts')).createPostgresDialect(target),
    }),
} as const

/** Lets work run in parallel, or alone. */
function createGate() {
  const running = new Set<Promise<unknown>>()
  let alone: Promise<void> | undefined
  return {
    async pass<T>(run: () => Promise<T>): Promise<T> {
      while (alone) await alone
      const done = run()
      running.add(done)
      try {
        return await done
      } finally {
        running.delete(done)
      }
    },
    async alone<T>(run: () => Promise<T>): Promise<T> {
      while (alone) await alone
      const ended = Promise.withResolvers<void>()
      alone = ended.promise
      try {
        await Promise.allSettled(running)
        return await run()
      } finally {
        alone = undefined
        ended.resolve()
      }
    },
  }
}

/** PostgreSQL itself lets commits of the same moment share a flush. */
const transactions =
  (db: Kysely<StoredTables>) =>
  <T>(work: (trx: Queries) => Promise<T>): Promise<T> =>
    untilNotVictim(() => db.transaction().execute((trx: Transaction<StoredTables>) => work(trx)))

/** SQLSTATE deadlock_detected, serialization_failure. */
const VICTIM = new Set<unknown>(['40P01', '40001'])
const TRIES = 5

/** Repeats a transaction that PostgreSQL ended because of a deadlock. */
async function untilNotVictim<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === TRIES || !VICTIM.has((error as { code?: string }).code)) throw error
    }
  }
}

/** SQLite: extended result code of a unique index; PostgreSQL: SQLSTATE unique_violation. */
const UNIQUE_VIOLATIONS = new Set<unknown>([2067, 1555, '23505'])

/** Returns true if a write failed because another row already has a value that must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return UNIQUE_VIOLATIONS.has(errcode) || UNIQUE_VIOLATIONS.has(code)
}

/**
 * Records which files SQLite has open. SQLite continues to write to a deleted or replaced file
 * without an error, and these data would be lost.
 * @param path of the data file, open and written to; its journal is next to it
 * @returns a function that throws UnavailableError if the files are missing or replaced
 */
function watchDataFile(path: string): () => void {
  const files = [path, `${path}-wal`].map((name) => [name, findMemoryName(name)] as const)
  return () => {
    for (const [name, place] of files)
      if (findMemoryName(name) !== place)
        throw new UnavailableError(
          'The data file was deleted or replaced while the gateway had it open. Put it back, or restart the gateway.',
        )
  }
}

/** A microsecond, where the commit that it precedes takes hundreds. */
function findMemoryName(name: string): string | undefined {
  const found = statSync(name, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

/**
 * Counts the restores from snapshots in this process. Data that were read before a restore must not
 * be written after it, because ids are used again.
 */
export interface Restores {
  count(): number
  add(): void
}

function createRestores(): Restores {
  let count = 0
  return {
    count: () => count,
    add() {
      count += 1
    },
  }
}
