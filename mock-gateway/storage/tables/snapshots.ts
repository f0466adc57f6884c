import type { Selectable } from 'kysely'
import type { SeedPosition } from '../../domain/chance.ts'
import { integer, json, key, moment, type TableOf, text } from './columns.ts'

/** A clock as a snapshot holds it. */
export interface SavedClock {
  /** `COMMON` for the clock of merchants without their own. */
  readonly merchant_id: number
  /** Epoch milliseconds that the clock showed. */
  readonly at: number
  readonly frozen: boolean
}

/** A random seed as a snapshot holds it. */
export interface SavedSeed extends SeedPosition {
  /** 0 for the seed of merchants without their own. */
  readonly merchant_id: number
}

export const snapshotColumns = {
  id: key(),
  name: text(),
  /** Clocks that had been moved. */
  clocks: json<readonly SavedClock[]>(),
  seeds: json<readonly SavedSeed[]>(),
  /** The last id that each table gave out. */
  newest_ids: json<Readonly<Record<string, number>>>(),
  /** Number of transactions. */
  payments: integer(),
  /** Epoch milliseconds of the machine. */
  saved_at: moment(),
}

type SnapshotTable = TableOf<typeof snapshotColumns>

export type SnapshotRow = Selectable<SnapshotTable>
