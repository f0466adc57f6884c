import { expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import {
  type FraudCheckInput,
  fraudScore,
} from '../../../../mock-gateway/domain/rules/fraud-score.ts'

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
  expect(fraudScore({ ...CHECKED, ...over })).toBe(score),
)
