import { describe, expect, test } from 'vitest'
import {
  BANK_QUESTIONS,
  getBankQuestion,
  getFirstStep,
  judgeAnswer,
  listAnswersAt,
  QUESTION_KINDS,
} from '../../../../mock-gateway/domain/card/bank-questions.ts'
import { detectBrand } from '../../../../mock-gateway/domain/card/card-types.ts'
import { TEST_CARDS, testCard } from '../../../../mock-gateway/domain/card/test-cards.ts'
import { luhn } from '../../../../sdk/shared/typed-card.ts'

const SCHEMES = ['visa', 'mastercard', 'amex', 'jcb', 'diners', 'discover', 'maestro'] as const

// Test cards: one row for each outcome, from outcome 1 on, with a number for each scheme.
const NUMBERS = `
  4000000000001000 5200000000001005 340000000001007 3528000000001005 36000000001006 6011000000001002 6759000000001008
  4000000000001018 5200000000001013 340000000001015 3528000000001013 36000000001014 6011000000001010 6759000000001016
  4000000000001026 5200000000001021 340000000001023 3528000000001021 36000000001022 6011000000001028 6759000000001024
  4000000000001034 5200000000001039 340000000001031 3528000000001039 36000000001030 6011000000001036 6759000000001032
  4000000000001042 5200000000001047 340000000001049 3528000000001047 36000000001048 6011000000001044 6759000000001040
  4000000000001059 5200000000001054 340000000001056 3528000000001054 36000000001055 6011000000001051 6759000000001057
  4000000000001067 5200000000001062 340000000001064 3528000000001062 36000000001063 6011000000001069 6759000000001065
  4000000000001075 5200000000001070 340000000001072 3528000000001070 36000000001071 6011000000001077 6759000000001073
  4000000000001083 5200000000001088 340000000001080 3528000000001088 36000000001089 6011000000001085 6759000000001081
  4000000000001091 5200000000001096 340000000001098 3528000000001096 36000000001097 6011000000001093 6759000000001099
  4000000000001109 5200000000001104 340000000001106 3528000000001104 36000000001105 6011000000001101 6759000000001107
  4000000000001117 5200000000001112 340000000001114 3528000000001112 36000000001113 6011000000001119 6759000000001115
  4000000000001125 5200000000001120 340000000001122 3528000000001120 36000000001121 6011000000001127 6759000000001123`

const rows = NUMBERS.trim()
  .split('\n')
  .map((row) => row.trim().split(' '))

describe('the 3-D Secure test numbers', () => {
  for (const [index, row] of rows.entries())
    test(`of outcome ${index + 1} are known for all seven schemes`, () => {
      const expected = SCHEMES.map((brand) => ({ brand, threeDSecure: index + 1 }))
      expect(row.map(testCard)).toEqual(expected)
    })

  test('are 91 different numbers', () => expect(new Set(rows.flat()).size).toBe(91))

  for (const [number, brand, threeDSecure] of [
    ['4000000000002701', 'visa', 1],
    ['4000000000002503', 'visa', 10],
    ['4000000000002644', 'visa', 13],
    ['5200000000002235', 'mastercard', 1],
    ['5200000000002151', 'mastercard', 10],
    ['5200000000002656', 'mastercard', 13],
    ['4000000000001133', 'visa', 14],
    ['4000000000001190', 'visa', 20],
  ] as const)
    test(`include ${number} with outcome ${threeDSecure}`, () =>
      expect(testCard(number)).toEqual({ brand, threeDSecure }))
})

describe('the plain test numbers', () => {
  for (const [number, brand] of [
    ['4111111111111111', 'visa'],
    ['4012888888881881', 'visa'],
    ['4222222222222', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['5105105105105100', 'mastercard'],
    ['30569309025904', 'diners'],
    ['38520000023237', 'diners'],
    ['6011111111111117', 'discover'],
    ['6011000990139424', 'discover'],
    ['3530111333300000', 'jcb'],
    ['3566002020360505', 'jcb'],
    ['378282246310005', 'amex'],
    ['371449635398431', 'amex'],
  ] as const)
    test(`${number} is a ${brand} card that is never challenged`, () =>
      expect(testCard(number)).toEqual({ brand }))
})

describe('every test card', () => {
  test('is one of 13 plain numbers, 168 numbers of seven schemes, or 26 second numbers', () =>
    expect(TEST_CARDS.size).toBe(207))

  test('passes the Luhn check', () => {
    expect([...TEST_CARDS.keys()].filter((number) => !luhn(number))).toEqual([])
  })

  test('has the brand of its number range', () => {
    expect([...TEST_CARDS].filter(([number, { brand }]) => detectBrand(number) !== brand)).toEqual(
      [],
    )
  })
})

test('any other number is not a test card', () =>
  expect(testCard('4000000000000002')).toBeUndefined())

test.each([
  ['code', 'asked', ['1234'], 'right'],
  ['code', 'asked', ['1111'], 'wrong'],
  ['code', 'asked', ['0000'], 'N'],
  ['code', 'asked', ['constructor'], 'wrong'],
  ['choice', 'asked', ['cafe'], 'right'],
  ['choice', 'asked', ['train'], 'wrong'],
  ['choice', 'asked', ['cafe', 'train'], 'wrong'],
  ['choice', 'asked', ['none'], 'N'],
  ['choices', 'asked', ['train', 'cafe'], 'right'],
  ['choices', 'asked', ['cafe', 'cafe'], 'wrong'],
  ['choices', 'asked', ['cafe', 'train', 'books'], 'wrong'],
  ['choices', 'asked', ['cafe', 'none'], 'N'],
  ['app', 'waiting', ['approve'], 'right'],
  ['app', 'waiting', ['deny'], 'N'],
  ['app', 'waiting', ['1234'], undefined],
  ['bankid', 'waiting', ['scan'], 'scanned'],
  ['bankid', 'waiting', ['sign'], undefined],
  ['bankid', 'scanned', ['sign'], 'right'],
  ['bankid', 'scanned', ['scan'], undefined],
  [undefined, 'asked', ['1234'], 'right'],
] as const)('%s at %s: %o gives %s', (kind, step, given, gives) =>
  expect(judgeAnswer(kind, step, given)).toBe(gives),
)

test('every challenge type has its own steps, which a payer can answer correctly or refuse', () => {
  for (const kind of QUESTION_KINDS) {
    const { steps } = getBankQuestion(kind)
    const given = Object.keys(steps).flatMap((step) => Object.values(listAnswersAt(kind, step)))
    expect(given).toEqual(expect.arrayContaining(['right', 'N']))
    for (const gives of given)
      expect(['right', 'wrong', 'N', ...Object.keys(steps)]).toContain(gives)
    for (const step of Object.keys(steps))
      expect(step === getFirstStep(kind) || given.includes(step)).toBe(true)
  }
  expect(Object.keys(BANK_QUESTIONS)[0]).toBe('code')
})
