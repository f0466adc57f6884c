import type { Selectable } from 'kysely'

/** A clock that somebody has moved. Who has no row has the common clock, and that, without a row, is the machine's. */
export interface ClockTable {
  /** `COMMON` for the clock of all those who have none of their own. */
  merchant_id: number
  /** Epoch milliseconds at which it stands; null while it runs. */
  frozen_at: number | null
  /** Milliseconds by which it is ahead of the machine's while it runs; negative when it is behind. */
  ahead: number
  /** Until when, on the machine's clock, a gateway says that it is moving this one; null when none does. */
  moving_until: number | null
}

export type ClockRow = Selectable<ClockTable>
