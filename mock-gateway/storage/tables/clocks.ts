import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'

/**
 * A clock that somebody has moved. Who has no row has the common clock, and that, without a row, is
 * the machine's.
 */
export interface ClockTable {
  /** `COMMON` for the clock of all those who have none of their own. */
  merchant_id: number
  /** Epoch milliseconds at which it stands; null while it runs. */
  frozen_at: number | null
  /**
   * Milliseconds by which it is ahead of the machine's while it runs; negative when it is behind.
   */
  ahead: number
  /**
   * Until when, on the machine's clock, a gateway says that it is moving this one; null when none
   * does.
   */
  moving_until: number | null
}

export type ClockRow = Selectable<ClockTable>

/** That somebody has moved a clock, wherever that was said. */
export interface ClockMoveTable {
  id: Id
  /** `COMMON` for the clock of all those who have none of their own. */
  merchant_id: number
  kind: 'freeze' | 'set' | 'advance' | 'next' | 'resume'
  /** Epoch milliseconds that it showed before, and shows since. */
  from_at: number
  to_at: number
}

export type ClockMoveRow = Selectable<ClockMoveTable>
export type NewClockMoveRow = Omit<Insertable<ClockMoveTable>, 'id'>

export const clockMoveCodec = tableCodec<ClockMoveTable>({})
