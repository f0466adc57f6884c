import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import { databaseWithTables, emptyDatabase, scratchDatabase } from '../../helpers/postgres.ts'
import { slowQueries } from '../../helpers/slow-queries.ts'

/** Place for a gateway's data that other tests do not use. */
export interface Place {
  /** Argument of `openDatabase` and `createGateway`. */
  readonly target: string
  /** Deletes the place. Close everything that was opened on it before. */
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

/** Creates a place like `postgresPlace`, for tests that change the tables themselves. */
async function ownPostgresPlace(): Promise<Place> {
  const { url, drop } = await databaseWithTables()
  return { target: url, remove: drop }
}

/** Creates a place like `postgresPlace`, without tables. */
export async function emptyPostgresPlace(): Promise<Place> {
  const { url, drop } = await emptyDatabase()
  return { target: url, remove: drop }
}

/** Creates a place in memory. Each opening creates a new database, which ends with its gateway. */
export const memoryPlace = async (): Promise<Place> => ({
  target: 'memory',
  remove: async () => {},
})

type Kind = readonly [name: string, place: () => Promise<Place>]

/** Places that two gateways can open at the same time. Tests elsewhere run on a file. */
export const DATABASES: readonly Kind[] = [
  ['SQLite file', filePlace],
  ['PostgreSQL', postgresPlace],
]

/**
 * Places that two gateways can open at the same time, for tests that change the tables themselves.
 */
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
 * Creates a place for all tests of a `describe`, and deletes it after the last test.
 * @returns the database argument of `createGateway`
 */
export async function sharedPlace(open: () => Promise<Place>): Promise<string> {
  const { target, remove } = await open()
  afterAll(remove)
  return target
}

/** Creates a place for one test, and deletes it after the test. @returns as `sharedPlace` */
export async function openTestPlace(open = filePlace): Promise<string> {
  const { target, remove } = await open()
  onTestFinished(remove)
  return target
}

/** Opens a database for one test, and closes it after the test. */
export async function openTestDatabase(target = 'memory'): Promise<Database> {
  const database = await openDatabase(target)
  onTestFinished(database.close)
  return database
}

/** Opens a database for the tests of a `describe` or file. Returns a function that returns it. */
export function useDatabase(open: () => Promise<Place> = filePlace): () => Database {
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
  return () => database
}

/**
 * Runs the same tests on every kind of database. `database` returns the open database of the
 * current tests.
 */
export function onEveryDatabase(define: (database: () => Database) => void): void {
  describe.each(DATABASES)('%s', (_name, open) => define(useDatabase(open)))
}

/**
 * Runs the same tests on both databases with delayed queries. Each place is created once, and
 * `remove` only empties it.
 * @param wait delays, as in `slowQueries`
 */
export function onSlowDatabases(
  define: (open: () => Promise<Place>) => void,
  wait?: Parameters<typeof slowQueries>[0],
): void {
  describe.each(DATABASES)('slow %s', (_name, make) => {
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
