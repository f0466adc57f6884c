import { expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import { comingCharges } from '../../../../mock-gateway/domain/subscription/coming-charges.ts'

const DAY = 86_400_000
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
  comingCharges(subscription(over), most).map(
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
  expect(comingCharges(subscription({ attempts: 1, next_at: ANCHOR + DAY }), 1)).toMatchObject([
    { period_at: ANCHOR },
  ]))
