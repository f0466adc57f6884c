import { addMonths, DAY } from '../domain/subscription/periods.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'
import type { DueItem } from '../storage/due.ts'
import type { ClockMode } from './clocks.ts'
import type { ClockReportLine } from './due.ts'

/** Change of a clock. */
export type ClockMove =
  | { readonly kind: 'freeze'; readonly at?: number | undefined }
  | { readonly kind: 'set'; readonly at: number }
  /** With `until`, the clock stops at the first webhook with this trigger. */
  | { readonly kind: 'advance'; readonly by: TimeSpan; readonly until?: Trigger | undefined }
  /** Moves the clock to the next due item. */
  | { readonly kind: 'next' }
  /** Lets time run again; with `real`, the clock follows the machine again. */
  | { readonly kind: 'resume'; readonly real?: boolean | undefined }

/** Distance by which a clock is moved: months first, then the rest. At least one is given. */
export interface TimeSpan {
  readonly seconds?: number | undefined
  readonly minutes?: number | undefined
  readonly hours?: number | undefined
  readonly days?: number | undefined
  readonly months?: number | undefined
}

/**
 * Adds a distance to a moment. Months keep the day, or use the last day of a shorter month; a day
 * is 24 hours.
 */
export const addTimeSpan = (
  now: number,
  { seconds = 0, minutes = 0, hours = 0, days = 0, months = 0 }: TimeSpan,
): number => addMonths(now, months) + days * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1000

/** Clock, and the next due work. */
export interface ClockView {
  /** Undefined: the common clock. */
  readonly merchantId: number | undefined
  readonly mode: ClockMode
  /** Epoch milliseconds. */
  readonly now: number
  /** The next item of each kind, in the order in which they will run. */
  readonly next: readonly DueItem[]
}

/** Report of a moved clock. */
export interface ClockReport extends ClockView {
  /** Time of the clock, in epoch milliseconds, when the move took control of it. Earlier work has run. */
  readonly from: number
  /** In the order in which it happened. */
  readonly happened: readonly ClockReportLine[]
  /**
   * False if a limit was reached before all due work was done: the clock stays at the last
   * completed item.
   */
  readonly quiet: boolean
}

export interface MoveOptions {
  /** Default: the common clock. */
  readonly merchantId?: number | undefined
  /** Allows moving back although some data has later dates. */
  readonly force?: boolean | undefined
}

/** Limits of one move (our decision). The milliseconds are the machine's. */
export interface MoveLimits {
  readonly milliseconds: number
  readonly events: number
}

export const MOVE_LIMITS: MoveLimits = { milliseconds: 30_000, events: 100_000 }
