import type { Insertable, Selectable } from 'kysely'
import { id, key, moment, nullable, primary, type TableOf, text } from './columns.ts'

/**
 * A clock that was moved. A merchant without a row uses the common clock, and the common clock
 * without a row is the machine's.
 */
export const clockColumns = {
  /** `COMMON` for the clock of merchants without their own. */
  merchant_id: primary(id()),
  /** The time at which the clock is stopped, in epoch milliseconds; null while it runs. */
  frozen_at: nullable(moment()),
  /** Milliseconds by which a running clock is ahead of the machine's; negative if it is behind. */
  ahead: moment(),
  /**
   * Until when, on the machine's clock, a gateway says that it is moving this one; null when none
   * does.
   */
  moving_until: nullable(moment()),
}

type ClockTable = TableOf<typeof clockColumns>

export type ClockRow = Selectable<ClockTable>

/** A clock move, from the control API or the console. */
export const clockMoveColumns = {
  id: key(),
  /** `COMMON` for the clock of merchants without their own. */
  merchant_id: id(),
  kind: text<'freeze' | 'set' | 'advance' | 'next' | 'resume'>(),
  /** Epoch milliseconds that it showed before, and shows since. */
  from_at: moment(),
  to_at: moment(),
}

type ClockMoveTable = TableOf<typeof clockMoveColumns>

export type ClockMoveRow = Selectable<ClockMoveTable>
export type NewClockMoveRow = Omit<Insertable<ClockMoveTable>, 'id'>
