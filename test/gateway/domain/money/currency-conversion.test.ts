import { expect, test } from 'vitest'
import {
  conversionInstruction,
  convertAmount,
  readConversion,
} from '../../../../mock-gateway/domain/money/currency-conversion.ts'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'

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
    conversionInstruction({ service_instructions: { currency_converter } })
  expect(ask(toEuro('0.1') as never)).toEqual(toEuro('0.1'))
  expect([
    ask('eur' as never),
    ask({ currency: 'zzz', rate: '1' } as never),
    conversionInstruction(null),
  ]).toEqual(Array(3).fill(undefined))
})
