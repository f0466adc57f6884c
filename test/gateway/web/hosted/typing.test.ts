import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INPUTS } from '../../../../mock-gateway/web/hosted/fields.ts'
import {
  formatExpiry,
  groupNumber,
  normalizeDigits,
  normalizeExpiry,
} from '../../../../sdk/shared/typed-card.ts'

const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength }).map((all) => all.join(''))

test('a grouped number keeps its digits, and is grouped once', () => {
  fc.assert(
    fc.property(fc.oneof(digits(0, 25), fc.string()), (text) => {
      const grouped = groupNumber(text)
      expect(groupNumber(grouped)).toBe(grouped)
      expect(normalizeDigits(grouped)).toBe(normalizeDigits(text))
    }),
  )
})

test('an expiry that is formatted keeps its digits, too', () => {
  const month = fc.integer({ min: 1, max: 12 }).map((each) => String(each).padStart(2, '0'))
  fc.assert(
    fc.property(month, digits(2, 2), fc.constantFrom('', '/', ' / ', '/20'), (mm, yy, between) => {
      const grouped = formatExpiry(mm + between + yy)
      expect(formatExpiry(grouped)).toBe(grouped)
      expect(normalizeExpiry(grouped)).toBe(mm + yy)
    }),
  )
})

test('fields have the attributes that browsers need for autofill', () => {
  expect(
    Object.fromEntries(
      Object.entries(INPUTS).map(([field, { autocomplete }]) => [field, autocomplete]),
    ),
  ).toEqual({
    card_number: 'cc-number',
    card_holder: 'cc-name',
    card_expiry: 'cc-exp',
    card_cvv: 'cc-csc',
    email: 'email',
    phone: 'tel',
    first_name: 'given-name',
    last_name: 'family-name',
    address_1: 'address-line1',
    address_2: 'address-line2',
    zip: 'postal-code',
    city: 'address-level2',
    country_code: 'country',
    personal_number: 'off',
    swish_number: 'tel',
  })
})
