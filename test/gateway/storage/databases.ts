import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Database, openDatabase } from '../../../mock-gateway/storage/database.ts'
import { scratchDatabase } from '../../helpers/postgres.ts'

/** A place for a gateway's data that nobody else uses. */
export interface Place {
  /** What `openDatabase` and `createGateway` take. */
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

type Kind = readonly [name: string, place: () => Promise<Place>]

/** Places that two can open at once. */
export const SHARED_DATABASES: readonly Kind[] = [
  ['SQLite file', filePlace],
  ['PostgreSQL', postgresPlace],
]

/** Every kind of place; whatever the gateway keeps, it keeps alike on all of them. */
export const DATABASES: readonly Kind[] = [
  ['SQLite in memory', async () => ({ target: 'memory', remove: async () => {} })],
  ...SHARED_DATABASES,
]

/** Runs the same tests on every kind of database; `database` gives the one of the tests, open while they run. */
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
