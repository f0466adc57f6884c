import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import {
  applyDeclinedCharge,
  applyPaidCharge,
  calculatePeriodAt,
  type DunningRules,
  listComingCharges,
  type SubscriptionProgress,
  skipMissedPeriods,
} from '../../../../mock-gateway/domain/subscription/dunning.ts'
import {
  calculatePeriodStart,
  DAY,
  parseDayStart,
} from '../../../../mock-gateway/domain/subscription/periods.ts'

const START = Date.UTC(2026, 0, 31)
const RULES: DunningRules = { dunning: [1, 3, 5, 7], dunning_end: 'keep' }

const monthly = (over: Partial<SubscriptionProgress> = {}): SubscriptionProgress => ({
  anchor_at: START,
  interval: 1,
  interval_unit: 'months',
  total_periods: 0,
  period_count: 0,
  period_index: 0,
  attempts: 0,
  retry_count: 0,
  ...over,
})

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

describe('after a paid charge', () => {
  test('the next period is due, on the anchor’s day of the month', () => {
    const days: string[] = []
    let progress = monthly()
    for (let month = 0; month < 4; month++) {
      const after = applyPaidCharge(progress)
      days.push(day(after.next_at))
      progress = { ...progress, ...after }
    }
    expect(days).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  })

  test('failed attempts and debt are reset to zero', () => {
    expect(applyPaidCharge(monthly({ attempts: 2, retry_count: 5 }))).toMatchObject({
      attempts: 0,
      retry_count: 0,
      debt: 0,
    })
  })

  test('the rest of a negative debt reduces the next charge', () => {
    expect(applyPaidCharge(monthly(), hundredths(-4000))).toMatchObject({
      debt: -4000,
      period_count: 1,
    })
  })

  test('the last period ends the subscription, even if earlier periods are unpaid', () => {
    expect(
      applyPaidCharge(monthly({ total_periods: 3, period_count: 1, period_index: 6 })),
    ).toMatchObject({ status: 'active' })
    expect(
      applyPaidCharge(monthly({ total_periods: 3, period_count: 2, period_index: 7 })),
    ).toMatchObject({ status: 'cancelled' })
  })
})

describe('after a declined charge', () => {
  /**
   * Returns the days of the attempts, counted from the start of the period, and the date of the
   * next period.
   */
  function tries(rules: DunningRules, progress = monthly()) {
    const days: number[] = []
    let at = calculatePeriodAt(progress)
    let now = progress
    while (now.period_index === progress.period_index && days.length < 20) {
      days.push((at - calculatePeriodAt(progress)) / DAY)
      const after = applyDeclinedCharge(now, at, rules)
      now = { ...now, ...after }
      at = after.next_at
    }
    return { days, next: day(at), now }
  }

  test('the charge is retried 1, 3, 5 and 7 days after the last attempt, and then the next period is due when it begins', () => {
    const { days, next, now } = tries(RULES)
    expect(days).toEqual([0, 1, 4, 9, 16])
    expect(next).toBe('2026-02-28')
    expect(now).toMatchObject({ period_index: 1, attempts: 0, retry_count: 5, period_count: 0 })
  })

  test('no retry is later than the start of the next period', () => {
    const weekly = monthly({ interval: 7, interval_unit: 'days' })
    expect(tries(RULES, weekly)).toMatchObject({ days: [0, 1, 4], next: '2026-02-07' })
  })

  test('an empty retry schedule waits for the next period', () => {
    expect(tries({ ...RULES, dunning: [] })).toMatchObject({ days: [0], next: '2026-02-28' })
  })

  test('the end of the retry schedule cancels the subscription if the merchant sets that, and not earlier', () => {
    const rules: DunningRules = { dunning: [1], dunning_end: 'cancel' }
    expect(applyDeclinedCharge(monthly(), START, rules).status).toBeUndefined()
    expect(applyDeclinedCharge(monthly({ attempts: 1 }), START + DAY, rules).status).toBe(
      'cancelled',
    )
  })
})

describe('missed periods', () => {
  test('are skipped except the latest, which is due when it began', () => {
    const after = skipMissedPeriods(monthly({ attempts: 2, retry_count: 2 }), Date.UTC(2026, 4, 30))
    expect(after).toMatchObject({ period_index: 3, attempts: 0, period_count: 0, retry_count: 2 })
    expect(day(after?.next_at ?? 0)).toBe('2026-04-30')
  })
  test('cannot exist before the next period starts', () => {
    expect(skipMissedPeriods(monthly(), Date.UTC(2026, 1, 28) - 1)).toBeUndefined()
  })
})

test('in any history, paid periods are counted and the dates follow the calendar', () => {
  const history = fc.array(fc.boolean(), { maxLength: 60 })
  const rules = fc.record({
    dunning: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
    dunning_end: fc.constant<'keep'>('keep'),
  })
  fc.assert(
    fc.property(history, rules, fc.integer({ min: 1, max: 45 }), (outcomes, dunning, interval) => {
      let progress = monthly({ interval, interval_unit: 'days' })
      let at = START
      let paid = 0
      let failures = 0
      for (const isPaid of outcomes) {
        const after = isPaid
          ? applyPaidCharge(progress)
          : applyDeclinedCharge(progress, at, dunning)
        paid += isPaid ? 1 : 0
        failures = isPaid ? 0 : failures + 1
        expect(after.next_at).toBeGreaterThan(at)
        if (after.attempts === 0) expect((after.next_at - START) % (interval * DAY)).toBe(0)
        at = after.next_at
        progress = { ...progress, ...after }
        expect(calculatePeriodAt(progress)).toBeLessThanOrEqual(at)
        expect(at).toBeLessThan(calculatePeriodAt(progress) + interval * DAY)
      }
      expect(progress).toMatchObject({ period_count: paid, retry_count: failures })
    }),
    { numRuns: 1_000 },
  )
})

/** Calendar date as numbers. The independent calculation below uses only such numbers. */
type Day = readonly [year: number, month: number, date: number]

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const monthLength = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31

function monthsLater([year, month, date]: Day, months: number): Day {
  let [toYear, toMonth] = [year, month]
  for (let step = 0; step < months; step++) {
    toMonth += 1
    if (toMonth > 12) {
      toMonth = 1
      toYear += 1
    }
  }
  return [toYear, toMonth, Math.min(date, monthLength(toYear, toMonth))]
}

const two = (number: number) => String(number).padStart(2, '0')
const TIME = '12:34:56.789Z'

const written = ([year, month, date]: Day) => `${year}-${two(month)}-${two(date)}T${TIME}`

const iso = (at: number) => new Date(at).toISOString()

/**
 * A common year, a leap year, a leap year at the turn of a century, and the last leap year before a
 * century without one.
 */
const YEARS = [2026, 2028, 2000, 2096]

describe.each([28, 29, 30, 31])('a period of months that starts on date %i', (date) => {
  const anchors = YEARS.flatMap((year) =>
    [1, 2, 3, 4, 8, 12]
      .filter((month) => date <= monthLength(year, month))
      .map((month): Day => [year, month, date]),
  )

  test.each([1, 2, 3, 12])(
    'and has %i months: each period begins on its calendar date',
    (interval) => {
      for (const anchor of anchors)
        for (let count = 0; count <= 48; count++) {
          const found = calculatePeriodStart(
            Date.parse(written(anchor)),
            { interval, interval_unit: 'months' },
            count,
          )
          expect(iso(found)).toBe(written(monthsLater(anchor, interval * count)))
        }
    },
  )
})

test('periods of days have 24 hours each', () =>
  expect(calculatePeriodStart(0, { interval: 7, interval_unit: 'days' }, 2)).toBe(
    14 * 24 * 60 * 60 * 1000,
  ))

describe('a date such as 2026-03-31', () => {
  for (const [date, start] of [
    ['1970-01-01', 0],
    ['1970-01-02', DAY],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
  ] as const)
    test(`${date} begins at ${start}`, () => expect(parseDayStart(date)).toBe(start))

  for (const date of [
    '',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '20260401',
    '2026-4-1',
    '2026-04-01T00:00:00Z',
  ])
    test(`${JSON.stringify(date)} is not a date`, () => expect(parseDayStart(date)).toBeUndefined())
})

const ANCHOR = Date.UTC(2028, 0, 31)

const subscription = (over = {}) => ({
  status: 'active' as const,
  anchor_at: ANCHOR,
  next_at: ANCHOR,
  interval: 1,
  interval_unit: 'months' as const,
  total_periods: 0,
  period_count: 0,
  period_index: 0,
  attempts: 0,
  retry_count: 0,
  price: hundredths(9900),
  quantity: 1,
  items: [],
  debt: hundredths(0),
  ...over,
})

const linesOf = (over = {}, most = 4) =>
  listComingCharges(subscription(over), most).map(
    ({ at, amount, attempt }) => `${new Date(at).toISOString().slice(0, 10)} ${amount} ${attempt}`,
  )

test.each([
  [
    'keep the end of a month, leap years too',
    {},
    ['2028-01-31 9900 1', '2028-02-29 9900 1', '2028-03-31 9900 1', '2028-04-30 9900 1'],
  ],
  [
    'end with the last period',
    { total_periods: 6, period_count: 4 },
    ['2028-01-31 9900 1', '2028-02-29 9900 1'],
  ],
  ['are empty for a cancelled one', { status: 'cancelled' }, []],
  [
    'have a debt once',
    { debt: hundredths(500) },
    ['2028-01-31 10400 1', '2028-02-29 9900 1', '2028-03-31 9900 1', '2028-04-30 9900 1'],
  ],
  [
    'use up a negative debt',
    { debt: hundredths(-12000) },
    ['2028-01-31 -2100 1', '2028-02-29 7800 1', '2028-03-31 9900 1', '2028-04-30 9900 1'],
  ],
  ['are multiplied', { quantity: 3, total_periods: 1 }, ['2028-01-31 29700 1']],
  [
    'count days by 24 hours',
    { interval: 20, interval_unit: 'days', total_periods: 3 },
    ['2028-01-31 9900 1', '2028-02-20 9900 1', '2028-03-11 9900 1'],
  ],
  [
    'begin with the next try of a period that was refused',
    { attempts: 2, next_at: ANCHOR + 4 * DAY, total_periods: 2 },
    ['2028-02-04 9900 3', '2028-02-29 9900 1'],
  ],
])('the expected charges %s', (_what, over, lines) => expect(linesOf(over)).toEqual(lines))

test('a retry pays its period from the original start of the period', () =>
  expect(listComingCharges(subscription({ attempts: 1, next_at: ANCHOR + DAY }), 1)).toMatchObject([
    { period_at: ANCHOR },
  ]))
