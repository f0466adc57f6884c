import { describe, expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { requireOffer } from '../../../mock-gateway/domain/subscription/plan.ts'
import type { Parameters } from '../../../mock-gateway/parsing/parameters/parameters.ts'
import { readPlanTerms } from '../../../mock-gateway/parsing/plan-terms.ts'
import { refusal } from '../domain/refusal.ts'

const MONTHLY = {
  name: 'Monthly',
  interval_unit: 'months',
  interval: '1',
  prices: '{"sek": "99.00"}',
}

const read = (over: Parameters = {}) => readPlanTerms({ ...MONTHLY, ...over })

test('a plan needs a name, an interval and a price, and all other fields have defaults', () => {
  expect(read()).toEqual({
    name: 'Monthly',
    description: '',
    interval: 1,
    interval_unit: 'months',
    prices: { sek: 9900 },
    setup_fees: {},
    periods: 0,
    trial_length: 0,
  })
})

describe('prices', () => {
  for (const [spelling, prices, expected] of [
    ['JSON text', '{"eur":"10","sek":"100"}', { eur: 1000, sek: 10000 }],
    ['JSON text with numbers', '{"eur":9.9,"sek":100}', { eur: 990, sek: 10000 }],
    ['brackets', { eur: '9.90', sek: '99.00' }, { eur: 990, sek: 9900 }],
    ['codes in upper and mixed case', { EUR: '9.90', Sek: '99.00' }, { eur: 990, sek: 9900 }],
    ['one decimal', { eur: '9.5' }, { eur: 950 }],
    ['an empty value is not sent', { eur: '', sek: '99.00' }, { sek: 9900 }],
    ['a null value is not sent', { eur: null, sek: '99.00' }, { sek: 9900 }],
    ['no decimals, written out', { jpy: '990.00' }, { jpy: 99000 }],
    ['three decimals in ISO, two here', { kwd: '1.25' }, { kwd: 125 }],
  ] as const)
    test(`can be sent as ${spelling}`, () => expect(read({ prices }).prices).toEqual(expected))

  for (const prices of [undefined, '', '{}', [], { sek: '' }])
    test(`${JSON.stringify(prices)} counts as no prices`, () =>
      expect(refusal(() => readPlanTerms({ ...MONTHLY, prices: prices ?? null }))).toBe(
        'errors.prices.missing',
      ))

  for (const prices of [
    { sek: '0.00' },
    { sek: '-10.00' },
    { sek: '1.005' },
    { sek: '1,00' },
    { sek: 'free' },
    { sek: true },
    { sek: { amount: '10.00' } },
    { sek: '90071992547409.92' },
    { jpy: '99.50' },
    { xyz: '10.00' },
    { kronor: '10.00' },
    { sek: '10.00', SEK: '20.00' },
    ['10.00'],
    '["10.00"]',
  ] as Parameters['prices'][])
    test(`${JSON.stringify(prices)} is rejected`, () =>
      expect(refusal(() => readPlanTerms({ ...MONTHLY, prices: prices ?? null }))).toBe(
        'errors.prices.invalid',
      ))

  test('prices that are not JSON are malformed', () =>
    expect(refusal(() => read({ prices: 'sek=10' }))).toBe('errors.json.malformed'))
})

describe('setup fees', () => {
  test('are read like prices', () =>
    expect(read({ setup_fees: '{"SEK":"50"}' }).setup_fees).toEqual({ sek: 5000 }))
  test('can be zero', () =>
    expect(read({ setup_fees: { sek: '0' } }).setup_fees).toEqual({ sek: 0 }))
  test('below zero are rejected', () =>
    expect(refusal(() => read({ setup_fees: { sek: '-1' } }))).toBe('errors.prices.invalid'))
})

describe('an interval', () => {
  for (const [interval, interval_unit] of [
    ['1', 'days'],
    ['366', 'days'],
    ['1', 'months'],
    ['36', 'Months'],
  ] as const)
    test(`an interval of ${interval} ${interval_unit} is read`, () =>
      expect(read({ interval, interval_unit })).toMatchObject({
        interval: Number(interval),
        interval_unit: interval_unit.toLowerCase(),
      }))

  for (const [interval, interval_unit, error] of [
    ['', 'days', 'errors.interval.missing'],
    ['1', '', 'errors.interval_unit.missing'],
    ['1', 'weeks', 'errors.interval_unit.invalid'],
    ['0', 'days', 'errors.interval.invalid'],
    ['-1', 'days', 'errors.interval.invalid'],
    ['1.5', 'days', 'errors.interval.invalid'],
    ['367', 'days', 'errors.interval.invalid'],
    ['37', 'months', 'errors.interval.invalid'],
    ['one', 'months', 'errors.interval.invalid'],
  ] as const)
    test(`an interval of ${JSON.stringify(interval)} ${JSON.stringify(interval_unit)} is rejected with ${error}`, () =>
      expect(refusal(() => read({ interval, interval_unit }))).toBe(error))
})

describe('other terms', () => {
  for (const [name, value, expected] of [
    ['periods', '12', 12],
    ['periods', '10000', 10_000],
    ['trial_length', '14', 14],
    ['trial_length', '3650', 3650],
    ['description', 'x'.repeat(2000), 'x'.repeat(2000)],
    ['name', '😀'.repeat(255), '😀'.repeat(255)],
    ['description', '😀'.repeat(2000), '😀'.repeat(2000)],
  ] as const)
    test(`${name} accepts ${String(value).slice(0, 10)}`, () =>
      expect(read({ [name]: value })[name]).toBe(expected))

  for (const [name, value, error] of [
    ['periods', '-1', 'errors.request.bad_format'],
    ['periods', '10001', 'errors.request.bad_format'],
    ['periods', '1.5', 'errors.request.bad_format'],
    ['trial_length', '-1', 'errors.request.bad_format'],
    ['trial_length', '3651', 'errors.request.bad_format'],
    ['description', 'x'.repeat(2001), 'errors.request.bad_format'],
    ['name', 'x'.repeat(256), 'errors.request.bad_format'],
    ['name', '😀'.repeat(256), 'errors.request.bad_format'],
    ['name', 'two\nlines', 'errors.request.bad_format'],
    ['name', '', 'errors.name.missing'],
    ['name', '  ', 'errors.name.missing'],
  ] as const)
    test(`${name} ${JSON.stringify(value.slice(0, 10))} is rejected with ${error}`, () =>
      expect(refusal(() => read({ [name]: value }))).toBe(error))
})

test('if there are several mistakes, the one with the lowest error code is reported', () => {
  const missing = [
    ['name', 'errors.name.missing'],
    ['interval_unit', 'errors.interval_unit.missing'],
    ['prices', 'errors.prices.missing'],
    ['interval', 'errors.interval.missing'],
  ] as const
  let sent: Parameters = {}
  for (const [name, error] of missing) {
    expect(refusal(() => readPlanTerms(sent))).toBe(error)
    sent = { ...sent, [name]: MONTHLY[name] }
  }
  expect(refusal(() => readPlanTerms(sent))).toBe('accepted')
})

describe('a changed plan', () => {
  const known = read({
    description: 'A box',
    setup_fees: { sek: '50' },
    periods: '12',
    trial_length: '7',
  })

  test('keeps fields that are not sent', () => expect(readPlanTerms({}, known)).toEqual(known))

  test('gets new prices as a whole', () =>
    expect(readPlanTerms({ prices: { eur: '9.90' } }, known)).toEqual({
      ...known,
      prices: { eur: 990 },
    }))

  test('can lose its setup fees, but not its prices', () => {
    expect(readPlanTerms({ setup_fees: '{}' }, known).setup_fees).toEqual({})
    expect(refusal(() => readPlanTerms({ prices: '{}' }, known))).toBe('errors.prices.missing')
  })

  test('has its interval checked together with its unit, even if only one of them is sent', () => {
    const everyDays = { ...known, interval: 90, interval_unit: 'days' } as const
    expect(refusal(() => readPlanTerms({ interval_unit: 'months' }, everyDays))).toBe(
      'errors.interval.invalid',
    )
    expect(
      refusal(() => readPlanTerms({ interval_unit: 'months', interval: '3' }, everyDays)),
    ).toBe('accepted')
  })
})

describe('the offer of a plan', () => {
  const plan = { status: 'active', prices: { sek: hundredths(9900) } } as const

  test('is its price in the currency of the payer', () =>
    expect(requireOffer(plan, 'sek').price).toBe(9900))

  for (const [situation, work, error] of [
    ['no plan', () => requireOffer(undefined, 'sek'), 'errors.plan.not_found'],
    [
      'a cancelled plan',
      () => requireOffer({ ...plan, status: 'cancelled' }, 'sek'),
      'errors.plan.deactivated',
    ],
    [
      'a plan without a price in that currency',
      () => requireOffer(plan, 'eur'),
      'errors.price.missing',
    ],
  ] as const)
    test(`${situation} does not exist: ${error}`, () => expect(refusal(work)).toBe(error))
})
