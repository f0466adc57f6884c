import { describe, expect, test } from 'vitest'
import { DAY, dayStart, periodStart } from '../../../../mock-gateway/domain/subscription/periods.ts'

/** Calendar day as numbers. The independent calculation below uses only such numbers. */
type Day = readonly [year: number, month: number, day: number]

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLength = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

function monthsLater([year, month, day]: Day, months: number): Day {
  let [toYear, toMonth] = [year, month]
  for (let step = 0; step < months; step++) {
    toMonth += 1
    if (toMonth > 12) {
      toMonth = 1
      toYear += 1
    }
  }
  return [toYear, toMonth, Math.min(day, monthLength(toYear, toMonth))]
}

const two = (number: number) => String(number).padStart(2, '0')
const TIME = '12:34:56.789Z'
const written = ([year, month, day]: Day) => `${year}-${two(month)}-${two(day)}T${TIME}`
const iso = (at: number) => new Date(at).toISOString()

/**
 * A common year, a leap year, a leap year at the turn of a century, and the last leap year before a
 * century without one.
 */
const YEARS = [2026, 2028, 2000, 2096]

describe.each([28, 29, 30, 31])('a period of months that starts on day %i', (day) => {
  const anchors = YEARS.flatMap((year) =>
    [1, 2, 3, 4, 8, 12]
      .filter((month) => day <= monthLength(year, month))
      .map((month): Day => [year, month, day]),
  )

  test.each([1, 2, 3, 12])(
    'and has %i months: each period begins on its calendar date',
    (interval) => {
      for (const anchor of anchors)
        for (let count = 0; count <= 48; count++) {
          const found = periodStart(
            Date.parse(written(anchor)),
            { interval, interval_unit: 'months' },
            count,
          )
          expect(iso(found)).toBe(written(monthsLater(anchor, interval * count)))
        }
    },
  )
})

describe('periods of days', () => {
  test('have 24 hours each', () =>
    expect(periodStart(0, { interval: 7, interval_unit: 'days' }, 2)).toBe(
      14 * 24 * 60 * 60 * 1000,
    ))
})

describe('a short month does not move the months after it', () => {
  for (const [first, ...following] of [
    ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31'],
    ['2026-01-30', '2026-02-28', '2026-03-30', '2026-04-30', '2026-05-30'],
    ['2027-12-29', '2028-01-29', '2028-02-29', '2028-03-29', '2028-04-29'],
  ] as const)
    test(`${first} is followed by ${following.join(', ')}`, () => {
      const starts = following.map((_, index) =>
        periodStart(dayStart(first) ?? 0, { interval: 1, interval_unit: 'months' }, index + 1),
      )
      expect(starts).toEqual(following.map(dayStart))
    })

  test('29 February returns every fourth year', () => {
    const starts = [1, 2, 3, 4].map((count) =>
      periodStart(Date.UTC(2028, 1, 29), { interval: 12, interval_unit: 'months' }, count),
    )
    expect(starts).toEqual(['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'].map(dayStart))
  })
})

describe('a date such as 2026-03-31', () => {
  for (const [day, start] of [
    ['1970-01-01', 0],
    ['1970-01-02', DAY],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
  ] as const)
    test(`${day} begins at ${start}`, () => expect(dayStart(day)).toBe(start))

  for (const day of [
    '',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '20260401',
    '2026-4-1',
    '2026-04-01T00:00:00Z',
  ])
    test(`${JSON.stringify(day)} is not a day`, () => expect(dayStart(day)).toBeUndefined())
})
