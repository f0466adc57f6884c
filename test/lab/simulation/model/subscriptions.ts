import type { Row, Store } from '../runs/data.ts'
import { iso } from './stored.ts'

const DAY = 86_400_000

/**
 * Returns the start of a period, counted from the first period. Periods of months keep the day of
 * the first period, or start on the last day of a shorter month.
 */
function beginning({ anchor_at, interval, interval_unit }: Row, count: number): number {
  const [first, length] = [Number(anchor_at), Number(interval) * count]
  if (interval_unit === 'days') return first + length * DAY
  const wanted = new Date(first)
  const day = wanted.getUTCDate()
  wanted.setUTCDate(1)
  wanted.setUTCMonth(wanted.getUTCMonth() + length)
  const month = wanted.getUTCMonth()
  wanted.setUTCDate(day)
  while (wanted.getUTCMonth() !== month) wanted.setUTCDate(wanted.getUTCDate() - 1)
  return wanted.getTime()
}

/**
 * Checks that each attempt of a charge belongs to a period of its subscription, and was made during
 * this period.
 */
export function holdCharges(store: Store, fail: (rule: string, message: string) => never): void {
  const rows =
    store.rows(`select s.id, s.anchor_at, s.interval, s.interval_unit, c.period_at, c.created_at
    from subscription_charges c join subscriptions s on s.id = c.subscription_id`)
  for (const row of rows) {
    const what = `subscription ${row.id} was charged at ${iso(row.created_at)} for the period of ${iso(row.period_at)}`
    let count = 0
    while (beginning(row, count) < Number(row.period_at)) count += 1
    if (beginning(row, count) !== row.period_at) fail('a charge of no period', what)
    if (
      Number(row.created_at) < Number(row.period_at) ||
      Number(row.created_at) >= beginning(row, count + 1)
    )
      fail('a charge outside of its period', what)
  }
}
