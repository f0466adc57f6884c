import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../mock-gateway/domain/json.ts'
import { readItems } from '../../../mock-gateway/parsing/order-fields.ts'
import { refusal } from '../domain/refusal.ts'

const item = (over: JsonObject = {}): JsonObject => ({
  artno: '001',
  description: 'Socks',
  amount: '10.00',
  qty: '1',
  vat: '25',
  ...over,
})

describe('items of a request', () => {
  test('are an empty list if the request has none', () =>
    expect(readItems({}, 'items')).toBeUndefined())

  test('may be sent as JSON text', () =>
    expect(readItems({ items: JSON.stringify([item()]) }, 'items')).toEqual([item()]))

  for (const [title, items] of [
    ['text that is not JSON', '"socks"'],
    ['an object', item()],
    ['a list of texts', ['socks']],
    ['a list with null', [item(), null]],
    ['a list of lists', [[item()]]],
  ] as const satisfies readonly (readonly [string, JsonValue])[])
    test(`are rejected as ${title}`, () =>
      expect(refusal(() => readItems({ items }, 'items'))).toBe('errors.items.not_array'))

  test('must be complete if the caller requires it, and can be an empty list', () => {
    const items = [item({ artno: '' })]
    expect(refusal(() => readItems({ items }, 'items', { complete: true }))).toBe(
      'errors.items.artno_missing',
    )
    expect(refusal(() => readItems({ items }, 'items'))).toBe('accepted')
    expect(readItems({ items: [] }, 'items', { complete: true })).toEqual([])
  })
})
