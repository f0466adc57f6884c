import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  detectBrand,
  maskNumber,
  readCardHolder,
  readCardNumber,
  readCardType,
  readCvv,
} from '../../../../mock-gateway/domain/card/card-types.ts'
import { maskCardNumbers, removeCardNumbers } from '../../../../mock-gateway/domain/card/numbers.ts'
import { findTypedBrand, luhn, luhnDigit } from '../../../../sdk/shared/typed-card.ts'
import { refusal } from '../refusal.ts'

describe('a card type', () => {
  for (const [text, type] of [
    ['VISA', 'visa'],
    ['Visa', 'visa'],
    ['master', 'mastercard'],
    ['MC', 'mastercard'],
    ['VISA ELECTRON', 'electron'],
    ['ELECTRON', 'electron'],
    ['American Express', 'amex'],
    ['diners-club', 'diners'],
    ['STORED_CARD', 'stored_card'],
    ['stored card', 'stored_card'],
  ] as const)
    test(`"${text}" is read as ${type}`, () => expect(readCardType(text)).toBe(type))

  for (const [text, error] of [
    ['', 'errors.card_type.unsupported'],
    ['dankort', 'errors.card_type.unsupported'],
    ['visa2', 'errors.card_type.unsupported'],
    ['toString', 'errors.card_type.unsupported'],
  ] as const)
    test(`${JSON.stringify(text)} is rejected with ${error}`, () =>
      expect(refusal(() => readCardType(text))).toBe(error))
})

describe('the brand of a number', () => {
  for (const [start, length, brand] of [
    ['34', 15, 'amex'],
    ['37', 15, 'amex'],
    ['300', 14, 'diners'],
    ['305', 14, 'diners'],
    ['36', 14, 'diners'],
    ['38', 14, 'diners'],
    ['3528', 16, 'jcb'],
    ['3589', 16, 'jcb'],
    ['417500', 16, 'electron'],
    ['4917', 16, 'electron'],
    ['4936', 18, 'uk_maestro'],
    ['564182', 16, 'uk_maestro'],
    ['4', 13, 'visa'],
    ['4', 16, 'visa'],
    ['4026', 13, 'visa'],
    ['51', 16, 'mastercard'],
    ['55', 16, 'mastercard'],
    ['2221', 16, 'mastercard'],
    ['2720', 16, 'mastercard'],
    ['6304', 17, 'laser'],
    ['6771', 19, 'laser'],
    ['6334', 16, 'solo'],
    ['6767', 18, 'solo'],
    ['6011', 16, 'discover'],
    ['622126', 16, 'discover'],
    ['622925', 16, 'discover'],
    ['65', 16, 'discover'],
    ['5018', 12, 'maestro'],
    ['6759', 16, 'maestro'],
    ['67', 19, 'maestro'],
    ['34', 16, undefined],
    ['306', 14, undefined],
    ['3527', 16, undefined],
    ['4', 14, undefined],
    ['50', 16, undefined],
    ['2220', 16, undefined],
    ['2721', 16, undefined],
    ['622125', 16, undefined],
    ['622926', 16, undefined],
    ['9', 16, undefined],
    ['39', 14, 'diners'],
    ['36', 16, undefined],
    ['38', 19, undefined],
    ['644', 16, 'discover'],
    ['65', 19, undefined],
    ['5893', 16, 'maestro'],
    ['5000', 16, undefined],
    ['6062', 16, undefined],
    ['6900', 16, undefined],
    ['4903', 18, 'uk_maestro'],
    ['4903', 13, 'visa'],
    ['633110', 16, 'uk_maestro'],
    ['6706', 17, 'laser'],
    ['4026', 16, 'electron'],
    ['4', 19, 'visa'],
  ] as const)
    test(`with ${length} digits that begin with ${start} is ${brand ?? 'unknown'}, also for the library`, () => {
      const number = start.padEnd(length, '0')
      expect(detectBrand(number)).toBe(brand)
      if (brand) expect(findTypedBrand(number)?.name).toBe(brand)
    })
})

describe('the Luhn check', () => {
  const digits = fc.stringMatching(/^[0-9]{11,18}$/)

  test('passes with a calculated check digit', () => {
    fc.assert(
      fc.property(digits, (start) => {
        expect(luhn(start + luhnDigit(start))).toBe(true)
      }),
    )
  })

  test('fails for every single mistyped digit', () => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (start, position, change) => {
        const number = [...(start + luhnDigit(start))]
        const at = position % number.length
        number[at] = String((Number(number[at]) + change) % 10)
        expect(luhn(number.join(''))).toBe(false)
      }),
    )
  })
})

describe('a card number', () => {
  for (const text of [
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    ' 4111\u00a01111\u00a01111\u00a01111\t',
    '４１１１１１１１１１１１１１１１',
    '\u202d٤١١١١١١١١١١١١١١١\u202c',
  ])
    test(`is read from ${JSON.stringify(text)}`, () =>
      expect(readCardNumber(text)).toBe('4111111111111111'))

  for (const [text, error] of [
    [undefined, 'errors.card_number.missing'],
    ['', 'errors.card_number.missing'],
    [' - ', 'errors.card_number.missing'],
    ['4111111111111112', 'errors.card_number.invalid'],
    ['4111111111111a11', 'errors.card_number.invalid'],
    ['00000000000', 'errors.card_number.invalid'],
    ['00000000000000000000', 'errors.card_number.invalid'],
    ['4111.1111.1111.1111', 'errors.card_number.invalid'],
  ] as const)
    test(`${JSON.stringify(text)} is rejected with ${error}`, () =>
      expect(refusal(() => readCardNumber(text))).toBe(error))

  test('is masked to its first six and last four digits', () => {
    expect(maskNumber('411111', '1111')).toBe('411111******1111')
  })
})

describe('a CVV', () => {
  for (const [text, cvv] of [
    ['200', '200'],
    ['0000', '0000'],
    [' 123 ', '123'],
    ['１２३', '123'],
  ] as const)
    test(`${JSON.stringify(text)} is read`, () => expect(readCvv(text)).toBe(cvv))

  for (const [text, error] of [
    [undefined, 'errors.card_cvv.missing'],
    [' ', 'errors.card_cvv.missing'],
    ['12', 'errors.card_cvv.invalid'],
    ['12345', 'errors.card_cvv.invalid'],
    ['12a', 'errors.card_cvv.invalid'],
  ] as const)
    test(`${JSON.stringify(text)} is rejected with ${error}`, () =>
      expect(refusal(() => readCvv(text))).toBe(error))
})

describe('a card holder', () => {
  for (const text of [
    'Kim Berg',
    "Zoë O'Neill-Ångström",
    '李小龍',
    'Louis XIV 1638',
    'K'.repeat(100),
    '😀'.repeat(100),
  ])
    test(`${text.slice(0, 30)} is read`, () => expect(readCardHolder(` ${text} `)).toBe(text))

  for (const [text, error] of [
    [undefined, 'errors.card_holder.missing'],
    ['  ', 'errors.card_holder.missing'],
    ['K'.repeat(101), 'errors.card_holder.invalid'],
    ['😀'.repeat(101), 'errors.card_holder.invalid'],
    ['Kim\nBerg', 'errors.card_holder.invalid'],
    ['Kim\u202eBerg', 'errors.card_holder.invalid'],
    ['4111111111111111', 'errors.card_holder.invalid'],
    ['Kim 4111 1111 1111', 'errors.card_holder.invalid'],
    ['4111-1111-1111-1111', 'errors.card_holder.invalid'],
    ['4539.1488.0343.6467', 'errors.card_holder.invalid'],
    ['Kim 4539 - 1488 - 0343', 'errors.card_holder.invalid'],
    ['４１１１１１１１１１１１１１１１', 'errors.card_holder.invalid'],
  ] as const)
    test(`${JSON.stringify(text?.slice(0, 30))} is rejected with ${error}`, () =>
      expect(refusal(() => readCardHolder(text))).toBe(error))
})

describe('the masking of card numbers in a text', () => {
  test.each([
    ['4111111111111111', '411111******1111'],
    ['my card is 5555 5555-5555 4444.', 'my card is 555555******4444.'],
    ['12 5555.5555.5555.4444', '12 555555******4444'],
    ['4111111111111111 30569309025904', '411111******1111 305693******5904'],
    ['378282246310005 and 378282246310005', '378282******0005 and 378282******0005'],
  ])('changes %s', (text, masked) => expect(maskCardNumbers(text)).toBe(masked))

  test.each([
    ['with another check digit', '4111111111111112'],
    ['among more digits', '0411111111111111100'],
    ['of thirteen digits', '4222222222222'],
    ['of no brand', '9999999999999995'],
    ['with two signs between digits', '4111  1111  1111  1111'],
  ])('leaves a number %s unchanged', (_what, text) => expect(maskCardNumbers(text)).toBe(text))
})

/**
 * Masks card numbers in the slowest and simplest way: tries every position and length one after the
 * other.
 */
function triedOneByOne(text: string): string {
  for (const { 0: run, index } of text.matchAll(/\d(?:[\s.-]?\d){13,}/g))
    for (let start = 0; start < run.length; start += 1)
      for (let count = 19; count >= 14; count -= 1) {
        const [found] =
          new RegExp(`^(?<!\\d)\\d(?:\\D?\\d){${count - 1}}(?!\\d)`).exec(run.slice(start)) ?? []
        const number = found?.replace(/\D/g, '') ?? ''
        if (!found || /\d/.test(run.charAt(start - 1)) || !luhn(number) || !detectBrand(number))
          continue
        const end = index + start + found.length
        return (
          text.slice(0, index + start) +
          maskNumber(number.slice(0, 6), number.slice(-4)) +
          triedOneByOne(text.slice(end))
        )
      }
  return text
}

test('finds all card numbers and nothing else, at every position and with every grouping', () => {
  const cards = [
    '4111111111111111',
    '4111 1111 1111 1111',
    '5555-5555-5555-4444',
    '378282246310005',
    '30569309025904',
  ]
  const piece = fc.oneof(
    fc.constantFrom(...cards, ' ', '-', '. ', 'x'),
    fc.stringMatching(/^[0-9]{1,4}$/),
    fc.stringMatching(/^(?:[0-9][ .-]?){1,20}$/),
  )
  const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      expect(maskCardNumbers(text)).toBe(triedOneByOne(text))
    }),
    { numRuns: 2_000 },
  )
})

test('card numbers are masked in texts, keys and metadata numbers, and values without a card number stay the same object', () => {
  const value = {
    note: ['4111111111111111'],
    '5555555555554444': 1,
    metadata: { a: 4111111111111111 },
  }
  expect(removeCardNumbers(value)).toEqual({
    note: ['411111******1111'],
    '555555******4444': 1,
    metadata: { a: '411111******1111' },
  })
  const clean = { note: ['order 12'], metadata: { a: 12 } }
  expect(removeCardNumbers(clean)).toBe(clean)
})
