import { expect, test } from 'vitest'
import { brandOf as brandOfGateway } from '../../../mock-gateway/domain/card/card-types.ts'
import { isCardNumber } from '../../../sdk/card/card.ts'
import { findTypedBrand } from '../../../sdk/shared/typed-card.ts'

/**
 * First digits, number of digits and brand. On the numbers in the first rows, library and gateway
 * once disagreed.
 */
const NUMBERS: readonly (readonly [start: string, length: number, brand: string | undefined])[] = [
  ['300', 14, 'diners'],
  ['36', 14, 'diners'],
  ['39', 14, 'diners'],
  ['36', 16, undefined],
  ['38', 19, undefined],
  ['6011', 16, 'discover'],
  ['644', 16, 'discover'],
  ['622925', 16, 'discover'],
  ['65', 19, undefined],
  ['622926', 16, undefined],
  ['5018', 12, 'maestro'],
  ['5893', 16, 'maestro'],
  ['6759', 19, 'maestro'],
  ['5000', 16, undefined],
  ['6062', 16, undefined],
  ['6900', 16, undefined],
  ['4903', 18, 'uk_maestro'],
  ['4903', 13, 'visa'],
  ['633110', 16, 'uk_maestro'],
  ['6767', 16, 'solo'],
  ['6706', 17, 'laser'],
  ['4026', 16, 'electron'],
  ['4', 19, 'visa'],
  ['51', 16, 'mastercard'],
  ['2720', 16, 'mastercard'],
  ['2721', 16, undefined],
  ['34', 15, 'amex'],
  ['3528', 16, 'jcb'],
]

for (const [start, length, brand] of NUMBERS) {
  const number = start.padEnd(length, '0')
  test(`library and gateway read ${length} digits beginning ${start} as ${brand ?? 'no brand'}`, () => {
    expect(brandOfGateway(number)).toBe(brand)
    if (brand) expect(findTypedBrand(number)?.name).toBe(brand)
  })
}

test('the library recognises brands without a card type, which the gateway rejects', () => {
  for (const [number, name] of Object.entries({
    5019717010103742: 'dankort',
    6007220000000004: 'forbrugsforeningen',
  })) {
    expect([findTypedBrand(number)?.name, brandOfGateway(number)]).toEqual([name, undefined])
  }
})

test('a number of a known brand with another length is not a card number', () => {
  expect(isCardNumber('36000000000008')).toBe(true)
  expect(isCardNumber('3600000000000008')).toBe(false)
})
