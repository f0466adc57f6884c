import type { Selectable } from 'kysely'
import type { SeedPosition } from '../../domain/chance.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'

/** A clock as a snapshot holds it. */
export interface SavedClock {
  /** `COMMON` for the clock of merchants without their own. */
  readonly merchant_id: number
  /** Epoch milliseconds that the clock showed. */
  readonly at: number
  readonly frozen: boolean
}

/** A random seed as a snapshot holds it. */
interface SavedSeed extends SeedPosition {
  /** 0 for the seed of merchants without their own. */
  readonly merchant_id: number
}

export interface SnapshotTable {
  id: Id
  /** 0 for a snapshot of all merchants. */
  merchant_id: number
  name: string
  /** Clocks that had been moved. */
  clocks: readonly SavedClock[]
  seeds: readonly SavedSeed[]
  /** The last id that each table gave out. */
  newest_ids: Readonly<Record<string, number>>
  /** Number of transactions. */
  payments: number
  /** Epoch milliseconds of the machine. */
  saved_at: number
}

export type SnapshotRow = Selectable<SnapshotTable>

export const snapshotCodec = tableCodec<SnapshotTable>({
  clocks: JSON_TEXT,
  seeds: JSON_TEXT,
  newest_ids: JSON_TEXT,
})
