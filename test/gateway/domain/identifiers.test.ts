import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createHrefToken,
  createStoredCardToken,
  isHrefToken,
  readCustomerRef,
  readId,
  readPaymentRef,
} from '../../../mock-gateway/domain/identifiers.ts'
import { refusal } from './refusal.ts'

describe('a payment_ref', () => {
  for (const text of [
    '1',
    'A100',
    'order 5 / å',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'x'.repeat(64),
    '😀'.repeat(64),
  ])
    test(`${text} is read`, () => expect(readPaymentRef(text)).toBe(text))

  for (const text of [
    undefined,
    '',
    'x'.repeat(65),
    '😀'.repeat(65),
    'a\nb',
    'a\u0085b',
    'a\u2028b',
    'a\u202eb',
  ])
    test(`${JSON.stringify(text)} is rejected`, () =>
      expect(refusal(() => readPaymentRef(text))).toBe('errors.payment_ref.invalid'))
})

describe('a customer_ref', () => {
  for (const text of ['c42', 'customer_5', 'x'.repeat(255), '😀'.repeat(255)])
    test(`${text.slice(0, 20)} is read`, () => expect(readCustomerRef(text)).toBe(text))

  for (const text of [undefined, ''])
    test(`${JSON.stringify(text)} is read as not sent`, () =>
      expect(readCustomerRef(text)).toBeUndefined())

  for (const text of ['x'.repeat(256), '😀'.repeat(256), 'a\tb'])
    test(`${JSON.stringify(text.slice(0, 20))} is rejected`, () =>
      expect(refusal(() => readCustomerRef(text))).toBe('errors.customer_ref.invalid'))
})

describe('a token', () => {
  const bytes = (count: number) => new Uint8Array(count).fill(0xfb)

  test('a token of a payment page has 22 URL-safe characters, and begins with its second', () => {
    const now = Date.UTC(2026, 10, 23)
    expect(createHrefToken(bytes, now)).toBe('awOCAPv7-_v7-_v7-_v7-w')
    expect(createHrefToken(bytes, now + 999)).toBe(createHrefToken(bytes, now))
    expect(createHrefToken(bytes, now + 1_000)).not.toBe(createHrefToken(bytes, now))
    // Fixtures can have payments of any year.
    for (const at of [Date.UTC(1960), Date.UTC(9999)])
      expect(isHrefToken(createHrefToken(bytes, at))).toBe(true)
  })

  test('a hundred thousand tokens of payment pages are all different', () => {
    expect(
      new Set(Array.from({ length: 100_000 }, () => createHrefToken(randomBytes, 0))).size,
    ).toBe(100_000)
  })

  test('a token of a stored card has 32 hexadecimal characters', () =>
    expect(createStoredCardToken(bytes)).toBe('fb'.repeat(16)))
})

describe('an id', () => {
  for (const [text, id] of [
    ['1', 1],
    ['90210', 90210],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ] as const)
    test(`${text} is read`, () => expect(readId(text)).toBe(id))

  for (const text of [
    '',
    '0',
    '01',
    '-1',
    '+1',
    '1e3',
    '0x1',
    '1.0',
    ' 1',
    '1;drop',
    '１',
    '9007199254740992',
    '9'.repeat(400),
  ])
    test(`${JSON.stringify(text.slice(0, 20))} is not an id`, () =>
      expect(readId(text)).toBeUndefined())
})
