import { expect, test } from 'vitest'
import { chosenOf, converterOffer, converterSettings } from '../../../../mock-gateway/domain/money/converter.ts'
import { formatAmount, hundredths } from '../../../../mock-gateway/domain/money/money.ts'

const inEuro = (rate: string) => ({ card_currency: 'eur', rates: { sek: rate } }) as const

test.each([
  ['0.0880', 10_000, '8.80'],
  ['0.08', 1, undefined],
  ['0.5', 1, '0.01'],
  ['0.00000001', 50_000_000, '0.01'],
  ['12', 250, '30.00'],
  ['0.333', 100, '0.33'],
  ['999999', Number.MAX_SAFE_INTEGER, undefined],
])('at %s %i hundredths are %s', (rate, amount, expected) => {
  const offer = converterOffer(inEuro(rate), hundredths(amount), 'sek')
  expect(offer && formatAmount(offer.amount)).toBe(expected)
})

test('a currency without decimals is offered in whole units', () => {
  const offer = converterOffer({ card_currency: 'jpy', rates: { sek: '14.35' } }, hundredths(1_050), 'sek')
  expect(offer && formatAmount(offer.amount)).toBe('151.00')
})

test('nothing is offered without settings, rate or amount, or in the same currency', () => {
  const amount = hundredths(10_000)
  const none = [
    converterOffer(undefined, amount, 'sek'),
    converterOffer(inEuro('0.1'), amount, 'nok'),
    converterOffer(inEuro('0.1'), null, 'sek'),
    converterOffer({ card_currency: 'sek', rates: { sek: '1' } }, amount, 'sek'),
  ]
  expect(none).toEqual([undefined, undefined, undefined, undefined])
  expect(chosenOf(undefined, 'sek', 'sek')).toBeNull()
  expect(chosenOf(converterOffer(inEuro('0.1'), amount, 'sek'), 'sek', 'usd')).toBeNull()
})

test.each(['0', '0.0', '-1', '1,5', '', '1e3', '0.123456789', '01'])('%s is no rate', (rate) => {
  expect(converterSettings.safeParse(inEuro(rate)).success).toBe(false)
})
