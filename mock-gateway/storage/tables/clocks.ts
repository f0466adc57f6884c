import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'

/**
 * A clock that was moved. A merchant without a row uses the common clock, and the common clock
 * without a row is the machine's.
 */
export interface ClockTable {
  /** `COMMON` for the clock of merchants without their own. */
  merchant_id: number
  /** The time at which the clock is stopped, in epoch milliseconds; null while it runs. */
  frozen_at: number | null
  /** Milliseconds by which a running clock is ahead of the machine's; negative if it is behind. */
  ahead: number
  /**
   * Until when, on the machine's clock, a gateway says that it is moving this one; null when none
   * does.
   */
  moving_until: number | null
}

export type ClockRow = Selectable<ClockTable>

/** A clock move, from the control API or the console. */
export interface ClockMoveTable {
  id: Id
  /** `COMMON` for the clock of merchants without their own. */
  merchant_id: number
  kind: 'freeze' | 'set' | 'advance' | 'next' | 'resume'
  /** Epoch milliseconds that it showed before, and shows since. */
  from_at: number
  to_at: number
}

export type ClockMoveRow = Selectable<ClockMoveTable>
export type NewClockMoveRow = Omit<Insertable<ClockMoveTable>, 'id'>

export const clockMoveCodec = tableCodec<ClockMoveTable>({})
