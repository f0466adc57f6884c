import { expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import { rule } from '../../../../mock-gateway/domain/rules/rule-schema.ts'
import {
  calculateFraudScore,
  type FraudCheckInput,
  findPastMatches,
  hasRuleMatch,
  type PastPayment,
  type RulePayment,
} from '../../../../mock-gateway/domain/rules/rules.ts'

const PAYMENT: RulePayment = {
  amount: hundredths(10_000),
  currency: 'sek',
  cardType: 'visa',
  country: 'SWE',
  customerRef: 'anna',
}
const UNKNOWN = { amount: null, cardType: undefined, country: undefined, customerRef: undefined }

/**
 * Rules, each with its result for a payment of 100.00 kronor, and for a payment with only a
 * currency.
 */
test.each([
  [{}, true, true],
  [{ amount_from: '100.00' }, true, false],
  [{ amount_from: '100.01' }, false, false],
  [{ amount_to: '100.00' }, true, false],
  [{ amount_to: '99.99' }, false, false],
  [{ amount_from: '100.00', amount_to: '100.00' }, true, false],
  [{ currency: ['eur', 'sek'] }, true, true],
  [{ currency: ['eur'] }, false, false],
  [{ card_type: ['mastercard', 'visa'] }, true, false],
  [{ card_type: ['mastercard'] }, false, false],
  [{ country: ['SWE'] }, true, false],
  [{ country: ['NOR'] }, false, false],
  [{ customer_ref: ['anna'] }, true, false],
  [{ customer_ref: ['bo'] }, false, false],
  [{ currency: ['sek'], country: ['NOR'] }, false, false],
])(
  'a rule with the condition %j matches a full payment (%s), and a payment with only a currency (%s)',
  (when, whole, bare) => {
    const written = rule.parse({ name: 'a rule', when, action: 'decline' })
    expect([
      hasRuleMatch(written, PAYMENT),
      hasRuleMatch(written, { ...PAYMENT, ...UNKNOWN }),
    ]).toEqual([whole, bare])
  },
)

const CHECKED: FraudCheckInput = {
  test: true,
  metadata: null,
  amount: hundredths(10_085),
  cardNumber: '411111******1111',
}
const asked = (fraud_score: number | string) => ({
  metadata: { service_instructions: { fraud_score } },
})
const TELLING = { amount: hundredths(600_085) }
const KNOWN = { cardNumber: '401288******1881' }

test.each<[string, Partial<FraudCheckInput>, number]>([
  ['a payment without risk factors', {}, 0],
  ['instructions', asked(100), 100],
  ['instructions as text', asked('1'), 1],
  ['instructions of nothing, whatever else there is', { ...asked(0), ...TELLING, ...KNOWN }, 0],
  ['instructions over 100', asked(101), 0],
  ['instructions below nothing', asked(-1), 0],
  ['instructions between two scores', asked(1.5), 0],
  ['an amount of 6000.85', { ...TELLING, ...KNOWN }, 85],
  ['an amount of 6000.00', { amount: hundredths(600_000) }, 0],
  ['an amount of 5999.99', { amount: hundredths(599_999) }, 0],
  ['an amount of 6001.00', { amount: hundredths(600_100), ...KNOWN }, 60],
  ['a card of the table', { amount: null, ...KNOWN }, 60],
  ['no card', { cardNumber: undefined }, 0],
  ['all of it, but no test', { test: false, ...asked(90), ...TELLING, ...KNOWN }, 0],
])('the score of %s', (_what, over, score) =>
  expect(calculateFraudScore({ ...CHECKED, ...over })).toBe(score),
)

const HOUR = 3_600_000

/** Returns a payment of Anna with the card that both customers use. */
const paid = (hour: number, over: Partial<PastPayment> = {}): PastPayment => ({
  amount: hundredths(1000),
  currency: 'sek',
  cardType: 'visa',
  country: undefined,
  customerRef: 'anna',
  cardNumber: '411111******1111',
  createdAt: hour * HOUR,
  ...over,
})

/** Returns the hours of the payments that a rule matches, newest first. */
function matched(when: object, payments: readonly PastPayment[]): readonly number[] {
  const written = rule.parse({ name: 'often', when, action: 'decline' })
  const newestFirst = payments.toSorted((one, other) => other.createdAt - one.createdAt)
  return findPastMatches(written, newestFirst).map(({ createdAt }) => createdAt / HOUR)
}

const often = (of: PropertyKey, more_than = 1) => ({ payments: { of, more_than, hours: 24 } })

test('a rule without a count matches every past payment that fits, newest first', () =>
  expect(matched({ currency: ['sek'] }, [paid(1), paid(2, { currency: 'eur' }), paid(3)])).toEqual([
    3, 1,
  ]))

test('earlier payments count, but the payment itself does not', () =>
  expect(matched(often('customer_ref'), [paid(1), paid(2), paid(3), paid(4)])).toEqual([4, 3]))

test('payments from 24 hours ago do not count', () =>
  expect(matched(often('customer_ref', 0), [paid(0), paid(24), paid(47)])).toEqual([47]))

test('payments of another customer do not count, also with the same card', () => {
  const payments = [paid(1), paid(2, { customerRef: 'bo' }), paid(3)]
  expect(matched(often('customer_ref'), payments)).toEqual([])
  expect(matched(often('card_number'), payments)).toEqual([3])
})

test('payments without a customer are not counted together', () => {
  const payments = [1, 2, 3].map((hour) => paid(hour, { customerRef: undefined }))
  expect(matched(often('customer_ref'), payments)).toEqual([])
})
