import { expect, test } from 'vitest'
import { card, money } from '../../../../mock-gateway/web/console/parts/cells.ts'
import { typedAmount } from '../../../../mock-gateway/web/console/parts/typed-amount.ts'

test.each([
  ['0.50', '0.50 SEK'],
  ['999.00', '999.00 SEK'],
  ['1249.50', '1,249.50 SEK'],
  ['1249000.00', '1,249,000.00 SEK'],
  ['-1249.50', '-1,249.50 SEK'],
  // An amount that cannot be paid is shown as it was sent.
  ['12490', '12490 SEK'],
  ['1249.505', '1249.505 SEK'],
])('the console shows the amount %s as %s', (amount, shown) =>
  expect(money(amount, 'sek').text).toBe(shown),
)

test.each([
  ['1,249.50', 124_950],
  ['1,249,000.00', 124_900_000],
  ['1 249,50', 124_950],
  ['10,50', 1_050],
  ['1,249', undefined],
])('the console reads the typed amount %s', (typed, amount) =>
  expect(typedAmount(typed)).toBe(amount),
)

test('a card is shown by its type and its last four digits', () => {
  expect(card({ card_type: 'VISA', card_number: '411111******1111' }).text).toBe('Visa\u00a01111')
  const stored = { card_type: 'STORED_CARD', card_number: '555555******4444' }
  expect(card(stored).text).toBe('Mastercard\u00a04444')
  expect(card({ card_type: null, card_number: null }).text).toBe('')
})
