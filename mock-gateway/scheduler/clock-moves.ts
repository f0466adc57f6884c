import { DAY, monthsLater } from '../domain/subscription/periods.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'

/** Change of a clock. */
export type ClockMove =
  | { readonly kind: 'freeze'; readonly at?: number | undefined }
  | { readonly kind: 'set'; readonly at: number }
  /** With `until`, the clock stops after the event of the first webhook with this trigger. */
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
): number => monthsLater(now, months) + days * DAY + ((hours * 60 + minutes) * 60 + seconds) * 1000
