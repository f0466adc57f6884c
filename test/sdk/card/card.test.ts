import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCardNumber, isCurrent, isCvv, luhn, sendableBrand } from '../../../sdk/card/card.ts'
import { findTypedBrand, normalizeDigits, normalizeExpiry } from '../../../sdk/shared/typed-card.ts'

test.for<[string, string | undefined]>([
  ['4', 'visa'],
  ['4903', 'uk_maestro'],
  ['4026', 'electron'],
  ['6304', 'laser'],
  ['5019', 'dankort'],
  ['3', undefined],
  ['5', undefined],
  ['6229', undefined],
  ['', undefined],
  ['4x', undefined],
])('a number that begins %s is %s', ([start, brand]) =>
  expect(findTypedBrand(start)?.name).toBe(brand),
)

test.for<[string, string | undefined]>([
  ['4026000000000002', 'ELECTRON'],
  ['5019717010103742', undefined],
  ['9', undefined],
])('the card type sent for %s is %s', ([number, type]) => expect(sendableBrand(number)).toBe(type))

test('of ten numbers that differ in the check digit, exactly one is valid', () => {
  const start = fc.stringMatching(/^\d{11,18}$/)
  fc.assert(
    fc.property(start, (digits) => {
      const right = Array.from('0123456789', (digit) => luhn(digits + digit)).filter(Boolean)
      expect(right).toHaveLength(1)
    }),
  )
})

test.for<[string, boolean]>([
  ['4111 1111 1111 1111', true],
  ['4111-1111-1111-1112', false],
  ['4222222222222', true],
  ['378282246310005', true],
  ['42222222222225', false],
  ['9999999999990', false],
  ['900000000000', false],
  ['', false],
  ['abcd', false],
])('%s is a valid card number: %s', ([number, expected]) =>
  expect(isCardNumber(number)).toBe(expected),
)

test.for<[string, string, string, boolean]>([
  ['12', '30', '2030-12-31T23:59:59.999Z', true],
  ['12', '30', '2031-01-01T00:00:00.000Z', false],
  ['1', '2031', '2031-01-31T23:59:59.999Z', true],
  ['02', '28', '2028-02-29T12:00:00.000Z', true],
  ['13', '30', '2026-01-01T00:00:00.000Z', false],
  ['0', '30', '2026-01-01T00:00:00.000Z', false],
  ['1/2', '30', '2026-01-01T00:00:00.000Z', false],
  ['12', '', '2026-01-01T00:00:00.000Z', false],
  ['12', '1999', '2026-01-01T00:00:00.000Z', false],
])('a card of %s/%s is valid at %s: %s', ([month, year, now, expected]) => {
  expect(isCurrent(`${month}/${year}`, new Date(now))).toBe(expected)
})

test.for<[string, string, boolean]>([
  ['200', '4111111111111111', true],
  ['2000', '4111111111111111', false],
  ['2000', '378282246310005', true],
  ['200', '378282246310005', false],
  ['200', '', true],
  ['2000', '', true],
  ['20', '', false],
  ['abc', '', false],
])('CVV %s with %s is valid: %s', ([cvv, number, expected]) =>
  expect(isCvv(cvv, number)).toBe(expected),
)

test('cleaning digits and expiries twice has the same result as once', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(normalizeDigits(normalizeDigits(text))).toBe(normalizeDigits(text))
      expect(normalizeExpiry(normalizeExpiry(text))).toBe(normalizeExpiry(text))
    }),
  )
})

test.for<[string, string]>([
  ['203012', '1230'],
  ['2030/12', '1230'],
  ['2030.12', '1230'],
  ['2030-12', '1230'],
  ['12\u201030', '1230'],
  ['12 \u2013 2030', '1230'],
  ['122030', '1230'],
  ['1/30', '0130'],
  ['203013', '203013'],
])('the expiry %s is sent as %s', ([typed, sent]) => expect(normalizeExpiry(typed)).toBe(sent))

test.for(['\u202a', '\u202e', '\u2066', '\u2069', '\u061c', '\ufe00', '\ufe0f'])(
  'the invisible character %j is removed from numbers, expiries and tokens',
  (mark) => {
    expect(normalizeDigits(`${mark}4111 1111${mark}`)).toBe('41111111')
    expect(normalizeExpiry(`${mark}12/30${mark}`)).toBe('1230')
    expect(normalizeDigits(`${mark}a1b2c3${mark}`)).toBe('a1b2c3')
  },
)

test('pasted zero-width characters and long dashes are ignored in a number', () => {
  expect(normalizeDigits('\u200b4111\u20111111\u00ad1111\ufeff1111\u200e')).toBe('4111111111111111')
  expect(normalizeExpiry('12/\u200b30')).toBe('1230')
})
