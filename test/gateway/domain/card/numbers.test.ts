import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brandOf, maskNumber } from '../../../../mock-gateway/domain/card/card-types.ts'
import {
  maskCardNumbers,
  withoutCardNumbers,
} from '../../../../mock-gateway/domain/card/numbers.ts'
import { luhn } from '../../../../sdk/shared/typed-card.ts'

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
        if (!found || /\d/.test(run.charAt(start - 1)) || !luhn(number) || !brandOf(number))
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
  expect(withoutCardNumbers(value)).toEqual({
    note: ['411111******1111'],
    '555555******4444': 1,
    metadata: { a: '411111******1111' },
  })
  const clean = { note: ['order 12'], metadata: { a: 12 } }
  expect(withoutCardNumbers(clean)).toBe(clean)
})
