import type { IntervalUnit } from '../../contract/wire.ts'

/** Length of a period. */
export interface Interval {
  readonly interval: number
  readonly interval_unit: IntervalUnit
}

/** Milliseconds. Days have a fixed length: UTC has no summer time. */
export const DAY = 24 * 60 * 60 * 1000

/**
 * Returns when a period begins. Months keep the day of the first period, or use the last day of a
 * shorter month: 31 January, 28 February, 31 March (decision 44). Counting from the first period
 * avoids drift.
 * @param anchor start of the first period, epoch milliseconds
 * @param count 0 is the first period
 */
export function calculatePeriodStart(
  anchor: number,
  { interval, interval_unit }: Interval,
  count: number,
): number {
  return interval_unit === 'days'
    ? anchor + interval * count * DAY
    : addMonths(anchor, interval * count)
}

/**
 * Adds months, keeping the day and time, or using the last day of a shorter month. @param at epoch
 * milliseconds
 */
export function addMonths(at: number, months: number): number {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  // Day 0 is the last day of the month before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = at - Date.UTC(year, date.getUTCMonth(), date.getUTCDate())
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + timeOfDay
}

/**
 * Returns the first moment of a day written YYYY-MM-DD, UTC.
 * @returns epoch milliseconds; undefined if the calendar has no such day
 */
export function parseDayStart(written: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(written)) return undefined
  const start = Date.parse(`${written}T00:00:00.000Z`)
  // A day outside its month gives an invalid date or another day.
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(written)
    ? start
    : undefined
}
