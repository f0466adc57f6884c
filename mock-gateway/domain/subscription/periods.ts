import type { IntervalUnit } from '../../contract/wire.ts'

/** How long a period lasts. */
export interface Interval {
  readonly interval: number
  readonly interval_unit: IntervalUnit
}

/** Milliseconds. Days are always as long: UTC has no summer time. */
export const DAY = 24 * 60 * 60 * 1000

/**
 * When a period begins. Months keep the day of the first period, or the last day of a month that is
 * too short, and come back to it: 31 January, 28 February, 31 March (decision 44). Counting always
 * from the first keeps them from drifting.
 * @param anchor start of the first period, epoch milliseconds
 * @param count 0 is the first period
 */
export function periodStart(
  anchor: number,
  { interval, interval_unit }: Interval,
  count: number,
): number {
  return interval_unit === 'days'
    ? anchor + interval * count * DAY
    : monthsLater(anchor, interval * count)
}

/**
 * The same day and time of day, or the last day of a month that is too short. @param at epoch
 * milliseconds
 */
export function monthsLater(at: number, months: number): number {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  // Day 0 is the last day of the month before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = at - Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + timeOfDay
}

/**
 * The first moment of a day written YYYY-MM-DD, UTC.
 * @returns epoch milliseconds; undefined when it is no day of the calendar
 */
export function dayStart(written: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(written)) return undefined
  const start = Date.parse(`${written}T00:00:00.000Z`)
  // A day its month does not have is either no date or comes back as another day.
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(written)
    ? start
    : undefined
}
