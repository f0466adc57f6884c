import { inject } from 'vitest'
import { type ScratchDatabase, scratchDatabaseOn } from '../setup/scratch-database.ts'

/**
 * A new, empty database on the server of this test run (see `test/setup/postgres.ts`); its maker
 * drops it.
 */
export const emptyDatabase = (): Promise<ScratchDatabase> =>
  scratchDatabaseOn(inject('postgresUrl'))

/** As `emptyDatabase`, with a gateway's tables: to make them anew takes ten times as long. */
export const scratchDatabase = (): Promise<ScratchDatabase> =>
  scratchDatabaseOn(inject('postgresUrl'), inject('postgresTemplate'))
