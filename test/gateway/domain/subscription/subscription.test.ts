import { describe, expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import {
  beginSubscription,
  calculateNextCharge,
  countPeriodsLeft,
  isPaid,
  readDebt,
} from '../../../../mock-gateway/domain/subscription/subscription.ts'
import type { Parameters } from '../../../../mock-gateway/parsing/parameters/parameters.ts'
import { readSubscriptionOrder } from '../../../../mock-gateway/parsing/subscription-order.ts'
import { refusal } from '../refusal.ts'

const NOON = Date.UTC(2026, 2, 14, 12)
const ITEM = { artno: 'A1', description: 'Delivery', amount: '5.00', qty: '1', vat: '25' }

describe('an order', () => {
  const read = (over: Parameters) =>
    readSubscriptionOrder({ plan_id: '9', ...over }, 'transaction', NOON)

  test('is for one unit of a plan that starts immediately, by default', () =>
    expect(read({})).toEqual({ planId: 9, startDate: undefined, quantity: 1, items: [] }))

  for (const plan_id of [null, ''])
    test(`an order without a plan (${JSON.stringify(plan_id)}) is ignored, whatever other fields it has`, () =>
      expect(read({ plan_id, start_date: 'soon', subscription_quantity: '-1' })).toBeUndefined())

  test('reads `quantity` only in requests about subscriptions alone', () => {
    const sent = { plan_id: '9', quantity: '4' }
    expect(readSubscriptionOrder(sent, 'transaction', NOON)?.quantity).toBe(1)
    expect(readSubscriptionOrder(sent, 'subscription', NOON)?.quantity).toBe(4)
  })

  for (const start_date of ['2026-03-14', '2026-03-15', '2036-03-21'])
    test(`can begin on ${start_date}`, () =>
      expect(read({ start_date })?.startDate).toBe(Date.parse(`${start_date}T00:00:00Z`)))

  for (const [name, value, error] of [
    ['plan_id', 'gold', 'errors.plan.invalid'],
    ['plan_id', '0', 'errors.plan.invalid'],
    ['plan_id', '1.5', 'errors.plan.invalid'],
    ['start_date', '2026-03-13', 'errors.request.bad_format'],
    ['start_date', '2036-03-22', 'errors.request.bad_format'],
    ['start_date', '2026-02-30', 'errors.request.bad_format'],
    ['start_date', '14/03/2027', 'errors.request.bad_format'],
    ['subscription_quantity', '0', 'errors.request.bad_format'],
    ['subscription_quantity', '-1', 'errors.request.bad_format'],
    ['subscription_quantity', '1.5', 'errors.request.bad_format'],
    ['subscription_quantity', '1000001', 'errors.request.bad_format'],
    ['subscription_items', '{"artno":"A1"}', 'errors.items.not_array'],
    ['subscription_items', '[{"artno":"A1"}]', 'errors.items.description_missing'],
  ] as const)
    test(`an order with ${name} ${value} is rejected with ${error}`, () =>
      expect(refusal(() => read({ [name]: value }))).toBe(error))

  test('can have a quantity of a million', () =>
    expect(read({ subscription_quantity: '1000000' })?.quantity).toBe(1_000_000))
})

describe('the start of a subscription', () => {
  const PLAN = {
    id: 9,
    status: 'active',
    name: 'Monthly',
    description: '',
    interval: 1,
    interval_unit: 'months',
    prices: { sek: hundredths(9900) },
    setup_fees: {},
    periods: 12,
    trial_length: 0,
  } as const
  const APRIL = Date.UTC(2026, 3, 1)
  const begin = (trial: number, startDate: number | undefined, paid: boolean, periods = 12) =>
    beginSubscription(
      { ...PLAN, trial_length: trial, periods },
      { startDate, quantity: 1, items: [] },
      { currency: 'sek', paid, now: NOON },
    )

  const day = (year: number, month: number, date: number, hour = 0) =>
    Date.UTC(year, month - 1, date, hour)

  for (const [situation, begun, expected] of [
    ['a payment pays the first period', begin(0, undefined, true), [1, NOON, day(2026, 4, 14, 12)]],
    [
      'a trial comes before the first charge',
      begin(14, undefined, true),
      [0, day(2026, 3, 28, 12), day(2026, 3, 28, 12)],
    ],
    ['a start date is the day of the first charge', begin(0, APRIL, true), [0, APRIL, APRIL]],
    [
      'a trial follows the start date',
      begin(14, APRIL, true),
      [0, day(2026, 4, 15), day(2026, 4, 15)],
    ],
    [
      'without a payment the first charge is due immediately',
      begin(0, undefined, false),
      [0, NOON, NOON],
    ],
    [
      'without a payment a trial is added, too',
      begin(14, undefined, false),
      [0, day(2026, 3, 28, 12), day(2026, 3, 28, 12)],
    ],
    [
      'a start date that is past by now is now, and the payment pays the first period',
      begin(0, day(2026, 3, 1), true),
      [1, NOON, day(2026, 4, 14, 12)],
    ],
    [
      'with a start date of today the result is the same',
      begin(0, day(2026, 3, 14), true),
      [1, NOON, day(2026, 4, 14, 12)],
    ],
  ] as const)
    test(situation, () => {
      const [period_count, anchor_at, next_at] = expected
      expect(begun).toMatchObject({ period_count, anchor_at, next_at, status: 'active' })
    })

  test('stores the start date without the trial', () =>
    expect(begin(14, APRIL, true).start_date).toBe(APRIL))

  test('ends a subscription with a single period once the period is paid', () => {
    expect(begin(0, undefined, true, 1)).toMatchObject({ status: 'cancelled', period_count: 1 })
    expect(begin(0, undefined, false, 1)).toMatchObject({ status: 'active', period_count: 0 })
  })

  test('is rejected if it can never be charged', () => {
    const dear = { ...PLAN, prices: { sek: hundredths(Number.MAX_SAFE_INTEGER) } }
    const order = { startDate: undefined, quantity: 2, items: [] }
    const work = () => beginSubscription(dear, order, { currency: 'sek', paid: true, now: NOON })
    expect(refusal(work)).toBe('errors.amount.invalid')
  })
})

describe('the next charge', () => {
  for (const [price, quantity, items, debt, charge] of [
    [9900, 1, [], 0, 9900],
    [9900, 3, [], 0, 29700],
    [9900, 2, [ITEM, { ...ITEM, amount: '-1.50' }], 0, 20150],
    [9900, 1, [ITEM], 1000, 11400],
    [9900, 1, [], -1000, 8900],
    [9900, 1, [], -10000, -100],
    [1, 1_000_000, [], 0, 1_000_000],
  ] as const)
    test(`the charge of ${quantity} x ${price}, ${items.length} items and a debt of ${debt} is ${charge}`, () =>
      expect(
        calculateNextCharge({ price: hundredths(price), quantity, items, debt: hundredths(debt) }),
      ).toBe(charge))

  for (const [price, quantity, debt] of [
    [Number.MAX_SAFE_INTEGER, 1, 1],
    [Number.MAX_SAFE_INTEGER, 2, 0],
    [10_000_000_000, 1_000_000, 0],
  ] as const)
    test(`a charge of ${quantity} x ${price} and a debt of ${debt} is too large`, () => {
      const parts = { price: hundredths(price), quantity, items: [], debt: hundredths(debt) }
      expect(refusal(() => calculateNextCharge(parts))).toBe('errors.amount.invalid')
    })
})

describe('a debt', () => {
  for (const [text, currency, debt] of [
    ['10.00', 'sek', 1000],
    ['-10.5', 'sek', -1050],
    ['0', 'sek', 0],
    ['-100.00', 'jpy', -10000],
  ] as const)
    test(`a debt of ${text} ${currency} is ${debt} hundredths`, () =>
      expect(readDebt(text, currency)).toBe(debt))

  for (const [text, currency] of [
    ['ten', 'sek'],
    ['1.005', 'sek'],
    ['0.50', 'jpy'],
  ] as const)
    test(`a debt of ${text} ${currency} is rejected`, () =>
      expect(refusal(() => readDebt(text, currency))).toBe('errors.amount.invalid'))

  test('can be omitted', () => expect(readDebt(undefined, 'sek')).toBeUndefined())
})

describe('periods', () => {
  for (const [total, count, left, paid] of [
    [12, 0, 12, false],
    [12, 11, 1, false],
    [12, 12, 0, true],
    [1, 1, 0, true],
    [0, 0, 0, false],
    [0, 100, 0, false],
  ] as const)
    test(`${count} paid of ${total || 'endless'} periods: ${left} left, ${paid ? 'all paid' : 'not all paid'}`, () => {
      expect(countPeriodsLeft(total, count)).toBe(left)
      expect(isPaid(total, count)).toBe(paid)
    })
})
