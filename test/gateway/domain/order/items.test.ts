import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../mock-gateway/domain/json.ts'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import {
  calculateItemsTotal,
  checkItems,
  checkItemsTotal,
} from '../../../../mock-gateway/domain/order/items.ts'
import { calculateLeftToRefund } from '../../../../mock-gateway/domain/order/states.ts'
import { refusal } from '../refusal.ts'

const item = (over: JsonObject = {}): JsonObject => ({
  artno: '001',
  description: 'Socks',
  amount: '10.00',
  qty: '1',
  vat: '25',
  ...over,
})

describe('items', () => {
  test('are stored as sent, further keys included', () => {
    const sent = [
      item({ colour: 'red', nested: { a: [1] } }),
      item({ amount: 1000, discount: '0' }),
    ]
    expect(checkItems(sent, { required: true })).toEqual(sent)
  })

  for (const [title, over, error] of [
    [
      'a description of 151 emoji',
      { description: '😀'.repeat(151) },
      'errors.items.description_too_long',
    ],
    ['an amount with a comma', { amount: '10,00' }, 'errors.items.amount_not_valid'],
    [
      'an amount of 21 decimals',
      { amount: '0.000000000000000000001' },
      'errors.items.amount_not_valid',
    ],
    ['an amount beyond all', { amount: '90071992547409.92' }, 'errors.items.amount_not_valid'],
    ['an amount as an object', { amount: { sek: 10 } }, 'errors.request.bad_format'],
  ] as const satisfies readonly (readonly [string, JsonObject, string])[])
    for (const required of [true, false])
      test(`items with ${title} are rejected with ${error}, ${required ? 'also' : 'even if not'} required`, () =>
        expect(refusal(() => checkItems([item(), item(over)], { required }))).toBe(error))

  for (const character of ['x', '😀'])
    test(`can have fields of the maximum length, made of ${character}`, () => {
      const [artno, description, notes] = [50, 150, 250].map((characters) =>
        character.repeat(characters),
      )
      const longest = item({
        artno: artno ?? '',
        description: description ?? '',
        notes: notes ?? '',
      })
      expect(checkItems([longest], { required: true })).toEqual([longest])
    })
})

describe('the total of items', () => {
  for (const [amounts, total] of [
    [[], 0],
    [['10.00', '2.50'], 1250],
    [[100, '50'], 15000],
    [['100.00', '-25.00'], 7500],
    [['90071992547409.91', '90071992547409.91', '-90071992547409.91'], Number.MAX_SAFE_INTEGER],
    [['3.333', '3.333', '3.334'], 1000],
    [['0.00000000000000000001', '-0.00000000000000000001000'], 0],
  ] as const)
    test(`the total of ${JSON.stringify(amounts)} is ${total} hundredths`, () =>
      expect(calculateItemsTotal(amounts.map((amount) => ({ amount })))).toBe(total))

  test('counts a missing amount as zero', () =>
    expect(calculateItemsTotal([{}, { amount: '1.00' }])).toBe(100))

  test('is rejected when it is too large', () => {
    const items = [{ amount: '90071992547409.91' }, { amount: '0.01' }]
    expect(refusal(() => calculateItemsTotal(items))).toBe('errors.items.amount_not_valid')
  })

  test('is never rounded, because part of a hundredth cannot be charged', () => {
    expect(refusal(() => calculateItemsTotal([{ amount: '9.996' }]))).toBe(
      'errors.items.amount_not_valid',
    )
    expect(refusal(() => calculateItemsTotal([{ amount: 9.996 }, { amount: '0.004' }]))).toBe(
      'accepted',
    )
  })

  test('must equal the amount to the last decimal: 9.996 is not 10.00', () => {
    const almost = [{ amount: '9.996' }]
    expect(refusal(() => checkItemsTotal(almost, hundredths(1000)))).toBe(
      'errors.items.transaction_amount_mismatch',
    )
    expect(
      refusal(() => checkItemsTotal([...almost, { amount: '0.0040' }], hundredths(1000))),
    ).toBe('accepted')
  })
})

test.each([
  ['all of a payment that has given nothing back', 1000, [], 1000],
  ['the rest after its refunds', 1000, [300, 200], 500],
  ['nothing of one that has given all back', 1000, [400, 600], 0],
  ['nothing of one that took nothing', null, [], 0],
])('the amount that can still be refunded: %s', (_what, paid, given, left) =>
  expect(
    calculateLeftToRefund(paid === null ? null : hundredths(paid), given.map(hundredths)),
  ).toBe(left),
)
