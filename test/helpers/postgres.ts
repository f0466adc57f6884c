import { inject } from 'vitest'
import { emptied, type ScratchDatabase, scratchDatabaseOn } from '../setup/scratch-database.ts'

/**
 * Creates an empty database on the server of this test run (see `test/setup/postgres.ts`). The
 * caller drops it.
 */
export const emptyDatabase = (): Promise<ScratchDatabase> =>
  scratchDatabaseOn(inject('postgresUrl'))

/**
 * Creates a database with a gateway's tables. They are copied, because creating them takes ten
 * times as long.
 */
export const databaseWithTables = (): Promise<ScratchDatabase> =>
  scratchDatabaseOn(inject('postgresUrl'), inject('postgresTemplate'))

/** Databases that tests of this process no longer use. */
const unused: ScratchDatabase[] = []

/**
 * Returns a database like `databaseWithTables`, for tests that change only rows. `drop` empties the
 * tables and keeps the database for the next test, because creating one takes four times as long.
 */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const database = unused.pop() ?? (await databaseWithTables())
  return {
    ...database,
    drop: async () => void unused.push(await emptied(inject('postgresUrl'), database)),
  }
}
