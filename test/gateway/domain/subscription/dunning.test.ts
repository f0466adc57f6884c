import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import {
  afterPaidCharge,
  afterRefusedCharge,
  type DunningRules,
  periodAt,
  type SubscriptionProgress,
  skipMissedPeriods,
} from '../../../../mock-gateway/domain/subscription/dunning.ts'

const DAY = 86_400_000
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
      const after = afterPaidCharge(progress)
      days.push(day(after.next_at))
      progress = { ...progress, ...after }
    }
    expect(days).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  })

  test('failed attempts and debt are reset to zero', () => {
    expect(afterPaidCharge(monthly({ attempts: 2, retry_count: 5 }))).toMatchObject({
      attempts: 0,
      retry_count: 0,
      debt: 0,
    })
  })

  test('the rest of a negative debt reduces the next charge', () => {
    expect(afterPaidCharge(monthly(), hundredths(-4000))).toMatchObject({
      debt: -4000,
      period_count: 1,
    })
  })

  test('the last period ends the subscription, even if earlier periods are unpaid', () => {
    expect(
      afterPaidCharge(monthly({ total_periods: 3, period_count: 1, period_index: 6 })),
    ).toMatchObject({
      status: 'active',
    })
    expect(
      afterPaidCharge(monthly({ total_periods: 3, period_count: 2, period_index: 7 })),
    ).toMatchObject({
      status: 'cancelled',
    })
  })
})

describe('after a declined charge', () => {
  /**
   * Returns the days of the attempts, counted from the start of the period, and the date of the
   * next period.
   */
  function tries(rules: DunningRules, progress = monthly()) {
    const days: number[] = []
    let at = periodAt(progress)
    let now = progress
    while (now.period_index === progress.period_index && days.length < 20) {
      days.push((at - periodAt(progress)) / DAY)
      const after = afterRefusedCharge(now, at, rules)
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
    expect(afterRefusedCharge(monthly(), START, rules).status).toBeUndefined()
    expect(afterRefusedCharge(monthly({ attempts: 1 }), START + DAY, rules).status).toBe(
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
        const after = isPaid ? afterPaidCharge(progress) : afterRefusedCharge(progress, at, dunning)
        paid += isPaid ? 1 : 0
        failures = isPaid ? 0 : failures + 1
        expect(after.next_at).toBeGreaterThan(at)
        if (after.attempts === 0) expect((after.next_at - START) % (interval * DAY)).toBe(0)
        at = after.next_at
        progress = { ...progress, ...after }
        expect(periodAt(progress)).toBeLessThanOrEqual(at)
        expect(at).toBeLessThan(periodAt(progress) + interval * DAY)
      }
      expect(progress).toMatchObject({ period_count: paid, retry_count: failures })
    }),
    { numRuns: 1_000 },
  )
})
