import { describe, expect, test } from 'vitest'
import { DECIMALS, readCurrency } from '../../../../mock-gateway/domain/money/currencies.ts'
import { refusal } from '../refusal.ts'

// Currencies in the order of the specification (Currencies).
const SPECIFIED = `
  SEK CAD CNY COP CZK DKK HKD HUF ISK INR ILS JPY KES KRW KWD LVL MYR MXN MAD OMR NZD NOK PAB QAR RUB SAR SGD ZAR CHF
  THB TTD AED GBP USD TWD VEF RON TRY EUR UAH PLN BRL`

describe('the currencies', () => {
  const specified = SPECIFIED.trim().split(/\s+/)

  test("are the specification's", () => {
    expect(Object.keys(DECIMALS)).toEqual(specified.map((code) => code.toLowerCase()))
  })

  for (const code of specified)
    test(`${code} is read in upper, lower and mixed case`, () => {
      const lower = code.toLowerCase()
      const mixed = code.charAt(0) + lower.slice(1)
      expect([code, lower, mixed].map(readCurrency)).toEqual([lower, lower, lower])
    })

  test('the yen, the won and the Icelandic crown have no decimals', () => {
    const codes = Object.entries(DECIMALS).filter(([, decimals]) => decimals === 0)
    expect(codes.map(([code]) => code).sort()).toEqual(['isk', 'jpy', 'krw'])
  })

  test('the dinar of Kuwait and the rial of Oman have three decimals', () => {
    const codes = Object.entries(DECIMALS).filter(([, decimals]) => decimals === 3)
    expect(codes.map(([code]) => code)).toEqual(['kwd', 'omr'])
  })
})

describe('a currency is rejected', () => {
  for (const [text, error] of [
    [undefined, 'errors.currency.missing'],
    ['', 'errors.currency.missing'],
    ['se', 'errors.currency.invalid'],
    ['sekk', 'errors.currency.invalid'],
    ['s3k', 'errors.currency.invalid'],
    [' sek', 'errors.currency.invalid'],
    ['sek\n', 'errors.currency.invalid'],
    ['ıls', 'errors.currency.invalid'],
    ['İSK', 'errors.currency.invalid'],
    ['ＳＥＫ', 'errors.currency.invalid'],
    ['xyz', 'errors.currency.unsupported'],
    ['AUD', 'errors.currency.unsupported'],
  ] as const)
    test(`${JSON.stringify(text)} is rejected with ${error}`, () =>
      expect(refusal(() => readCurrency(text))).toBe(error))
})
