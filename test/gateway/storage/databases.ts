import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import { databaseWithTables, emptyDatabase, scratchDatabase } from '../../helpers/postgres.ts'
import { slowQueries } from '../../helpers/slow-queries.ts'
import { isLong } from '../../helpers/some.ts'

/** A separate place for a gateway's data. */
export interface Place {
  /** The argument of `openDatabase` and `createGateway`. */
  readonly target: string
  /** Removes it, once everything that was opened on it is closed. */
  remove(): Promise<void>
}

export async function filePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-test-'))
  return { target: join(folder, 'gateway.db'), remove: () => rm(folder, { recursive: true }) }
}

export async function postgresPlace(): Promise<Place> {
  const { url, drop } = await scratchDatabase()
  return { target: url, remove: drop }
}

/** As `postgresPlace`, for tests that change the tables themselves. */
async function ownPostgresPlace(): Promise<Place> {
  const { url, drop } = await databaseWithTables()
  return { target: url, remove: drop }
}

/** As `postgresPlace`, without any table. */
export async function emptyPostgresPlace(): Promise<Place> {
  const { url, drop } = await emptyDatabase()
  return { target: url, remove: drop }
}

/** Each opening creates a new database, which ends with its gateway. */
export const memoryPlace = async (): Promise<Place> => ({
  target: 'memory',
  remove: async () => {},
})

type Kind = readonly [name: string, place: () => Promise<Place>]

/** Places that two gateways can open at the same time. */
export const SHARED_DATABASES: readonly Kind[] = [
  ['SQLite file', filePlace],
  ['PostgreSQL', postgresPlace],
]

/**
 * Every kind of place; the gateway stores the same on all. The short run has the persistent ones,
 * because all other tests run in memory.
 */
export const DATABASES: readonly Kind[] = isLong
  ? [['SQLite in memory', memoryPlace], ...SHARED_DATABASES]
  : SHARED_DATABASES

/** As `SHARED_DATABASES`, for tests that change the tables themselves. */
export const OWN_DATABASES: readonly Kind[] = [
  ['SQLite file', filePlace],
  ['PostgreSQL', ownPostgresPlace],
]

/** Places without tables, as at a gateway's first start. */
export const EMPTY_DATABASES: readonly Kind[] = [
  ['SQLite in memory', memoryPlace],
  ['SQLite file', filePlace],
  ['PostgreSQL', emptyPostgresPlace],
]

/**
 * A place for all tests of a `describe`, which goes after the last of them. @returns what
 * `createGateway` takes
 */
export async function sharedPlace(open: () => Promise<Place>): Promise<string> {
  const { target, remove } = await open()
  afterAll(remove)
  return target
}

/**
 * Runs the same tests on every kind of database; `database` gives the one of the tests, open while
 * they run.
 */
export function onEveryDatabase(define: (database: () => Database) => void): void {
  describe.each(DATABASES)('%s', (_name, open) => {
    let place: Place
    let database: Database
    beforeAll(async () => {
      place = await open()
      database = await openDatabase(place.target)
    })
    afterAll(async () => {
      await database.close()
      await place.remove()
    })
    define(() => database)
  })
}

/**
 * Runs the same tests on both databases, with queries that take their time. Each place is made
 * once; `remove` empties it.
 * @param wait as `slowQueries` takes it
 */
export function onSlowDatabases(
  define: (open: () => Promise<Place>) => void,
  wait?: Parameters<typeof slowQueries>[0],
): void {
  describe.each(SHARED_DATABASES)('slow %s', (_name, make) => {
    slowQueries(wait)
    let place: Place
    beforeAll(async () => {
      place = await make()
    })
    afterAll(() => place.remove())
    define(async () => ({ target: place.target, remove: () => emptied(place.target) }))
  })
}

async function emptied(target: string): Promise<void> {
  const database = await openDatabase(target)
  await resetData(database)
  for (const table of ['templates', 'clocks', 'merchants'] as const)
    await database.db.deleteFrom(table).execute()
  await database.close()
}
