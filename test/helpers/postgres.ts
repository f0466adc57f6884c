import { inject } from 'vitest'
import { emptied, type ScratchDatabase, scratchDatabaseOn } from '../setup/scratch-database.ts'

/**
 * A new, empty database on the server of this test run (see `test/setup/postgres.ts`); its maker
 * drops it.
 */
export const emptyDatabase = (): Promise<ScratchDatabase> =>
  scratchDatabaseOn(inject('postgresUrl'))

/** Like `emptyDatabase`, with a gateway's tables: creating them takes ten times as long. */
export const databaseWithTables = (): Promise<ScratchDatabase> =>
  scratchDatabaseOn(inject('postgresUrl'), inject('postgresTemplate'))

/** Databases that tests of this process have dropped. */
const unused: ScratchDatabase[] = []

/**
 * As `databaseWithTables`, for tests that change rows only. `drop` empties the tables and keeps
 * the database for the next test: creating one takes four times as long.
 */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const database = unused.pop() ?? (await databaseWithTables())
  return {
    ...database,
    drop: async () => void unused.push(await emptied(inject('postgresUrl'), database)),
  }
}
