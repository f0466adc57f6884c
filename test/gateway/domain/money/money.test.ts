import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Currency } from '../../../../mock-gateway/domain/money/currencies.ts'
import {
  convertToNumber,
  formatAmount,
  formatExact,
  hundredths,
  parseAmount,
  parseExactAmount,
  parseLooseAmount,
  readAmountFilter,
  requirePayableAmount,
} from '../../../../mock-gateway/domain/money/money.ts'
import { refusal } from '../refusal.ts'

const anyAmount = fc.maxSafeInteger().map(hundredths)
const positiveAmount = fc.maxSafeNat().map(hundredths)

describe('the text of an amount', () => {
  for (const [text, value] of [
    ['10.00', 1000],
    ['0.01', 1],
    ['0.00', 0],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ] as const)
    test(`${text} is ${value} hundredths`, () =>
      expect(parseAmount(text)).toEqual({ ok: true, value }))

  for (const [text, problem] of [
    [undefined, 'missing'],
    ['', 'missing'],
    ['-10.00', 'negative'],
    ['-0.01', 'negative'],
    ['-5', 'negative'],
    ['90071992547409.92', 'range'],
    ['99999999999999999999.99', 'range'],
    [`${'9'.repeat(400)}.00`, 'range'],
    ['10', 'format'],
    ['10.', 'format'],
    ['1.0', 'format'],
    ['.50', 'format'],
    ['1.005', 'format'],
    ['1,00', 'format'],
    ['1 000.00', 'format'],
    ['1e3', 'format'],
    ['0x10', 'format'],
    ['+1.00', 'format'],
    ['-0.00', 'negative'],
    ['01.00', 'format'],
    [' 1.00', 'format'],
    ['1.00\n', 'format'],
    ['１.００', 'format'],
    ['١.٠٠', 'format'],
    ['Infinity', 'format'],
    ['NaN', 'format'],
  ] as const)
    test(`${JSON.stringify(text)} has the problem ${problem}`, () =>
      expect(parseAmount(text)).toEqual({ ok: false, problem }))

  test('a printed amount reads back as the same amount', () => {
    fc.assert(
      fc.property(positiveAmount, (value) => {
        expect(parseAmount(formatAmount(value))).toEqual({ ok: true, value })
      }),
    )
  })
})

describe('an amount to be paid', () => {
  for (const [text, currency, value] of [
    ['10.50', 'sek', 1050],
    ['10.00', 'jpy', 1000],
    ['10.00', 'isk', 1000],
    ['10.25', 'kwd', 1025],
    ['0.01', 'eur', 1],
  ] as const satisfies readonly (readonly [string, Currency, number])[])
    test(`${text} ${currency} is charged as ${value} hundredths`, () =>
      expect(requirePayableAmount(text, currency)).toBe(value))

  for (const [text, currency, error] of [
    [undefined, 'sek', 'errors.amount.missing'],
    ['', 'sek', 'errors.amount.missing'],
    ['-10.00', 'sek', 'errors.amount.missing'],
    ['10', 'sek', 'errors.amount.invalid_format'],
    ['10.5', 'sek', 'errors.amount.invalid_format'],
    ['1.234', 'kwd', 'errors.amount.invalid_format'],
    ['0.00', 'sek', 'errors.amount.invalid'],
    ['90071992547409.92', 'sek', 'errors.amount.invalid'],
    ['10.50', 'jpy', 'errors.amount.invalid'],
    ['10.01', 'krw', 'errors.amount.invalid'],
    ['10.10', 'isk', 'errors.amount.invalid'],
  ] as const)
    test(`${JSON.stringify(text)} ${currency} is rejected with ${error}`, () =>
      expect(refusal(() => requirePayableAmount(text, currency))).toBe(error))

  test('can be zero if the caller allows it', () => {
    for (const currency of ['sek', 'jpy'] as const)
      expect(requirePayableAmount('0.00', currency, 0)).toBe(0)
    expect(refusal(() => requirePayableAmount('-0.01', 'sek', 0))).toBe('errors.amount.missing')
    expect(refusal(() => requirePayableAmount('0', 'sek', 0))).toBe('errors.amount.invalid_format')
  })
})

describe('a loosely written amount', () => {
  for (const [text, value] of [
    ['0', 0],
    ['-0.00', 0],
    ['12.4', 1240],
    ['-5.00', -500],
    ['1000', 100000],
    ['007', 700],
    ['1.004999', 100],
    ['1.005', 101],
    ['-1.005', -101],
    ['0.999', 100],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ] as const)
    test(`${text} is ${value} hundredths`, () => expect(parseLooseAmount(text)).toBe(value))

  for (const text of [
    '',
    '.5',
    '5.',
    '1e3',
    '+1',
    '--1',
    '1,5',
    ' 1',
    'NaN',
    '90071992547409.92',
    '9'.repeat(400),
  ])
    test(`${JSON.stringify(text.slice(0, 20))} is not an amount`, () =>
      expect(parseLooseAmount(text)).toBeUndefined())

  test('an amount with two decimals is never changed', () => {
    fc.assert(
      fc.property(anyAmount, (value) => {
        expect(parseLooseAmount(formatAmount(value))).toBe(value)
      }),
    )
  })
})

describe('an exact amount', () => {
  for (const [text, written] of [
    ['0', '0.00'],
    ['12.4', '12.40'],
    ['9.996', '9.996'],
    ['-0.05', '-0.05'],
    ['-1.000000000000000000010', '-1.00000000000000000001'],
    ['90071992547409.91', '90071992547409.91'],
  ] as const)
    test(`${text} is ${written}`, () =>
      expect(formatExact(parseExactAmount(text) ?? -1n)).toBe(written))

  for (const text of ['', '1e3', '0.000000000000000000001', '90071992547409.92'])
    test(`${JSON.stringify(text)} is not an amount`, () =>
      expect(parseExactAmount(text)).toBeUndefined())
})

describe('an amount in a filter', () => {
  for (const [text, value] of [
    ['100', 10000],
    ['100.5', 10050],
    ['100.50', 10050],
    ['-3', -300],
  ] as const)
    test(`${text} is ${value} hundredths`, () => expect(readAmountFilter(text)).toBe(value))

  for (const text of ['', '1.005', '1..2', 'abc', '1e2'])
    test(`${JSON.stringify(text)} is not an amount`, () =>
      expect(readAmountFilter(text)).toBeUndefined())
})

describe('a printed amount', () => {
  for (const [value, text] of [
    [0, '0.00'],
    [5, '0.05'],
    [1050, '10.50'],
    [-5, '-0.05'],
    [-123456, '-1234.56'],
  ] as const)
    test(`${value} hundredths is ${text}`, () => expect(formatAmount(hundredths(value))).toBe(text))

  test('is a number of whole units if a number is requested', () =>
    expect(convertToNumber(hundredths(1050))).toBe(10.5))

  test('equals its text as a number, for any value', () =>
    fc.assert(
      fc.property(anyAmount, (amount) => convertToNumber(amount) === Number(formatAmount(amount))),
    ))
})

test('hundredths must be whole numbers that JavaScript represents exactly', () => {
  expect(() => hundredths(0.5)).toThrow(RangeError)
  expect(() => hundredths(2 ** 53)).toThrow(RangeError)
})
