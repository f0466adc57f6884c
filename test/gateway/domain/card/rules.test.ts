import { describe, expect, test } from 'vitest'
import {
  calculateCardExpiry,
  isExpired,
  readExpiry,
} from '../../../../mock-gateway/domain/card/expiry.ts'
import {
  type CardForm,
  createPlainCard,
  findCardProblems,
} from '../../../../mock-gateway/domain/card/rules.ts'
import { refusal } from '../refusal.ts'

const CARD: CardForm = {
  card_number: '4111 1111-1111 1111',
  card_holder: ' Åsa Öberg ',
  card_expiry: '12 / 2030',
  card_cvv: ' 200 ',
}

const problemsOf = (over: Partial<CardForm> = {}, thisMonth = '2026-11') =>
  findCardProblems(createPlainCard({ ...CARD, ...over }), thisMonth).map(
    ({ field, error }) => `${field}: ${error}`,
  )

describe('a card with this mistake is rejected:', () => {
  test.each([
    [
      'nothing typed at all',
      { card_number: '', card_holder: '  ', card_expiry: '', card_cvv: '' },
      [
        'card_number: errors.card_number.missing',
        'card_expiry: errors.card_expiry.missing',
        'card_cvv: errors.card_cvv.missing',
        'card_holder: errors.card_holder.missing',
      ],
    ],
    ['the code as name', { card_holder: '200' }, ['card_holder: errors.card_holder.invalid']],
    ['last month', { card_expiry: '10/26' }, ['card_expiry: errors.card.expired']],
  ] as const)('%s', (_what, over, problems) => {
    expect(problemsOf(over)).toEqual(problems)
  })

  test('a card is valid until the end of its month, by the clock of the gateway', () => {
    expect(problemsOf({ card_expiry: '11/26' }, '2026-11')).toEqual([])
    expect(problemsOf({ card_expiry: '11/26' }, '2026-12')).toEqual([
      'card_expiry: errors.card.expired',
    ])
    expect(problemsOf({ card_expiry: '01/27' }, '2026-12')).toEqual([])
  })
})

const JUNE_2030 = Date.parse('2030-06-15T12:00:00Z')

describe('a card expiry', () => {
  for (const text of ['1230', '12/30', '12 / 30', '12 30', ' 1230 ', '۱۲/۳۰'])
    test(`is read from ${JSON.stringify(text)}`, () =>
      expect(readExpiry(text, JUNE_2030)).toBe('1230'))

  for (const [text, error] of [
    [undefined, 'errors.card_expiry.missing'],
    ['', 'errors.card_expiry.missing'],
    ['  ', 'errors.card_expiry.missing'],
    ['0030', 'errors.card_expiry.invalid'],
    ['1330', 'errors.card_expiry.invalid'],
    ['9999', 'errors.card_expiry.invalid'],
    ['1/30', 'errors.card_expiry.invalid'],
    ['122030', 'errors.card_expiry.invalid'],
    ['12-30', 'errors.card_expiry.invalid'],
    ['0530', 'errors.card.expired'],
    ['1229', 'errors.card.expired'],
    ['0100', 'errors.card.expired'],
  ] as const)
    test(`${JSON.stringify(text)} is rejected with ${error} in June 2030`, () =>
      expect(refusal(() => readExpiry(text, JUNE_2030))).toBe(error))

  test('an expiry in the current month is valid', () =>
    expect(readExpiry('0630', JUNE_2030)).toBe('0630'))
})

describe('a card expires', () => {
  for (const [expiry, moment] of [
    ['1227', '2027-12-31T23:59:59.000Z'],
    ['0228', '2028-02-29T23:59:59.000Z'],
    ['0229', '2029-02-28T23:59:59.000Z'],
    ['0100', '2000-01-31T23:59:59.000Z'],
    ['1299', '2099-12-31T23:59:59.000Z'],
  ] as const)
    test(`with the expiry ${expiry} at ${moment}`, () =>
      expect(new Date(calculateCardExpiry(expiry)).toISOString()).toBe(moment))

  test('a card expires only after the last moment of its month', () => {
    const nextMonth = Date.parse('2030-07-01T00:00:00.000Z')
    expect(isExpired('0630', nextMonth - 1)).toBe(false)
    expect(isExpired('0630', nextMonth)).toBe(true)
  })
})
