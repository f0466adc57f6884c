import { describe, expect, test } from 'vitest'
import { calculateCost, NO_FEES } from '../../../../mock-gateway/domain/money/cost.ts'
import { DECIMALS, readCurrency } from '../../../../mock-gateway/domain/money/currencies.ts'
import {
  convertAmount,
  readConversion,
  readConversionInstruction,
} from '../../../../mock-gateway/domain/money/currency-conversion.ts'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import { refusal } from '../refusal.ts'

describe('the currencies', () => {
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

describe('the cost of a payment', () => {
  test('a payment in another currency than the account has an exchange fee', () => {
    expect(calculateCost(7, hundredths(1000), 'eur', 'sek')).toEqual({
      id: 7,
      percentual_fee: '0.025',
      fixed_fee: '0.025',
      percentual_exchange_fee: '0.035',
      vat_rate: '0',
      total: '0.625',
    })
  })

  test('a payment in the currency of the account has no exchange fee', () => {
    const { percentual_exchange_fee, total } = calculateCost(7, hundredths(1000), 'sek', 'sek')
    expect({ percentual_exchange_fee, total }).toEqual({
      percentual_exchange_fee: '0',
      total: '0.275',
    })
  })

  for (const [amount, total] of [
    [500, '0.325'],
    [100, '0.085'],
    [0, '0.025'],
    [1, '0.026'],
    [250, '0.175'],
    [125, '0.1'],
    [1625, '1'],
    [1666666666666622, '999999999999.998'],
    [1666666666666624, '999999999999.999'],
    [Number.MAX_SAFE_INTEGER, '5404319552844.62'],
  ] as const)
    test(`a payment of ${amount} hundredths in another currency costs ${total} in total`, () =>
      expect(calculateCost(7, hundredths(amount), 'eur', 'sek').total).toBe(total))

  test('is zero without fees, in any currency', () => {
    const { id, ...fees } = calculateCost(7, hundredths(1000), 'eur', 'sek', NO_FEES)
    expect({ id, fees: new Set(Object.values(fees)) }).toEqual({ id: 7, fees: new Set(['0']) })
  })

  test('uses the fees of the account', () => {
    const fees = { percentual: 10, fixed: 1500, exchange: 0, vatRate: 250 }
    expect(calculateCost(7, hundredths(10000), 'sek', 'sek', fees)).toEqual({
      id: 7,
      percentual_fee: '0.01',
      fixed_fee: '1.5',
      percentual_exchange_fee: '0',
      vat_rate: '0.25',
      total: '2.5',
    })
  })
})

const toEuro = (rate: string) => ({ currency: 'eur', rate }) as const

test.each([
  ['0.0880', 10_000, '8.80'],
  ['0.08', 1, undefined],
  ['0.5', 1, '0.01'],
  ['0.00000001', 50_000_000, '0.01'],
  ['12', 250, '30.00'],
  ['0.333', 100, '0.33'],
  ['999999', Number.MAX_SAFE_INTEGER, undefined],
])('at the rate %s, %i hundredths become %s', (rate, amount, expected) => {
  expect(convertAmount(toEuro(rate), hundredths(amount), 'sek')?.amount).toBe(expected)
})

test('an amount in a currency without decimals is a whole number', () => {
  expect(convertAmount({ currency: 'jpy', rate: '14.35' }, hundredths(1_050), 'sek')?.amount).toBe(
    '151.00',
  )
})

test('the payer chooses one of two currencies, and a conversion to the same currency is not offered', () => {
  const convert = (chosen_currency?: 'eur' | 'sek' | 'usd', from: 'sek' | 'eur' = 'sek') =>
    convertAmount({ ...toEuro('0.1'), chosen_currency }, hundredths(10_000), from)?.chosen_currency
  expect([convert(), convert('sek'), convert('usd'), convert('eur', 'eur')]).toEqual([
    'eur',
    'sek',
    undefined,
    undefined,
  ])
})

test.each(['0', '0.0', '-1', '1,5', '', '1e3', '0.123456789', '01'])(
  '"%s" is not a rate',
  (rate) => {
    expect(readConversion(toEuro(rate))).toBeUndefined()
  },
)

test('metadata request a conversion, and other values in their place are ignored', () => {
  const ask = (currency_converter: never) =>
    readConversionInstruction({ service_instructions: { currency_converter } })
  expect(ask(toEuro('0.1') as never)).toEqual(toEuro('0.1'))
  expect([
    ask('eur' as never),
    ask({ currency: 'zzz', rate: '1' } as never),
    readConversionInstruction(null),
  ]).toEqual(Array(3).fill(undefined))
})
