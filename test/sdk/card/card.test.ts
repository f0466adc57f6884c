import fc from 'fast-check'
import jQuery from 'jquery'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { detectBrand as brandOfGateway } from '../../../mock-gateway/domain/card/card-types.ts'
import { isCardNumber, isCurrent, isCvv, luhn, sendableBrand } from '../../../sdk/card/card.ts'
import {
  findTypedBrand,
  formatExpiry,
  groupNumber,
  normalizeDigits,
  normalizeExpiry,
} from '../../../sdk/shared/typed-card.ts'
import { addForm, input, installLibrary } from '../helpers/shop.ts'

test.for<[string, string | undefined]>([
  ['4', 'visa'],
  ['4903', 'uk_maestro'],
  ['4026', 'electron'],
  ['6304', 'laser'],
  ['5019', 'dankort'],
  ['3', undefined],
  ['5', undefined],
  ['6229', undefined],
  ['', undefined],
  ['4x', undefined],
])('a number that begins %s is %s', ([start, brand]) =>
  expect(findTypedBrand(start)?.name).toBe(brand),
)

test.for<[string, string | undefined]>([
  ['4026000000000002', 'ELECTRON'],
  ['5019717010103742', undefined],
  ['9', undefined],
])('the card type sent for %s is %s', ([number, type]) => expect(sendableBrand(number)).toBe(type))

test('of ten numbers that differ in the check digit, exactly one is valid', () => {
  const start = fc.stringMatching(/^\d{11,18}$/)
  fc.assert(
    fc.property(start, (digits) => {
      const right = Array.from('0123456789', (digit) => luhn(digits + digit)).filter(Boolean)
      expect(right).toHaveLength(1)
    }),
  )
})

test.for<[string, boolean]>([
  ['4111 1111 1111 1111', true],
  ['4111-1111-1111-1112', false],
  ['4222222222222', true],
  ['378282246310005', true],
  ['42222222222225', false],
  ['9999999999990', false],
  ['900000000000', false],
  ['', false],
  ['abcd', false],
])('%s is a valid card number: %s', ([number, expected]) =>
  expect(isCardNumber(number)).toBe(expected),
)

test.for<[string, string, string, boolean]>([
  ['12', '30', '2030-12-31T23:59:59.999Z', true],
  ['12', '30', '2031-01-01T00:00:00.000Z', false],
  ['1', '2031', '2031-01-31T23:59:59.999Z', true],
  ['02', '28', '2028-02-29T12:00:00.000Z', true],
  ['13', '30', '2026-01-01T00:00:00.000Z', false],
  ['0', '30', '2026-01-01T00:00:00.000Z', false],
  ['1/2', '30', '2026-01-01T00:00:00.000Z', false],
  ['12', '', '2026-01-01T00:00:00.000Z', false],
  ['12', '1999', '2026-01-01T00:00:00.000Z', false],
])('a card of %s/%s is valid at %s: %s', ([month, year, now, expected]) => {
  expect(isCurrent(`${month}/${year}`, new Date(now))).toBe(expected)
})

test.for<[string, string, boolean]>([
  ['200', '4111111111111111', true],
  ['2000', '4111111111111111', false],
  ['2000', '378282246310005', true],
  ['200', '378282246310005', false],
  ['200', '', true],
  ['2000', '', true],
  ['20', '', false],
  ['abc', '', false],
])('CVV %s with %s is valid: %s', ([cvv, number, expected]) =>
  expect(isCvv(cvv, number)).toBe(expected),
)

test('cleaning digits and expiries twice has the same result as once', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(normalizeDigits(normalizeDigits(text))).toBe(normalizeDigits(text))
      expect(normalizeExpiry(normalizeExpiry(text))).toBe(normalizeExpiry(text))
    }),
  )
})

test.for<[string, string]>([
  ['203012', '1230'],
  ['2030/12', '1230'],
  ['2030.12', '1230'],
  ['2030-12', '1230'],
  ['12\u201030', '1230'],
  ['12 \u2013 2030', '1230'],
  ['122030', '1230'],
  ['1/30', '0130'],
  ['01.27', '0127'],
  ['０１/２７', '0127'],
  ['203013', '203013'],
])('the expiry %s is sent as %s', ([typed, sent]) => expect(normalizeExpiry(typed)).toBe(sent))

test.for(['\u202a', '\u202e', '\u2066', '\u2069', '\u061c', '\ufe00', '\ufe0f'])(
  'the invisible character %j is removed from numbers, expiries and tokens',
  (mark) => {
    expect(normalizeDigits(`${mark}4111 1111${mark}`)).toBe('41111111')
    expect(normalizeExpiry(`${mark}12/30${mark}`)).toBe('1230')
    expect(normalizeDigits(`${mark}a1b2c3${mark}`)).toBe('a1b2c3')
  },
)

test('pasted zero-width characters and long dashes are ignored in a number', () => {
  expect(normalizeDigits('\u200b4111\u20111111\u00ad1111\ufeff1111\u200e')).toBe('4111111111111111')
  expect(normalizeExpiry('12/\u200b30')).toBe('1230')
})

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
beforeEach(() => {
  installLibrary()
})
afterEach(() => {
  document.body.innerHTML = ''
})

test.for<[string, string]>([
  ['4111111111111111', '4111 1111 1111 1111'],
  ['4111-1111', '4111 1111'],
  ['41111', '4111 1'],
  ['378282246310005', '3782 822463 10005'],
  ['3782', '3782'],
  ['30569309025904', '3056 930902 5904'],
  ['a1b2c3d4', 'a1b2c3d4'],
  ['', ''],
])('the number %s is shown as %s', ([text, shown]) => expect(groupNumber(text)).toBe(shown))

test.for<[string, string]>([
  ['1', '1'],
  ['12', '12'],
  ['123', '12 / 3'],
  ['1230', '12 / 30'],
  ['5', '05'],
  ['1/30', '01 / 30'],
  ['12/2030', '12 / 2030'],
  ['202701', '202701'],
  ['soon', 'soon'],
])('the expiry %s is shown as %s', ([text, shown]) => expect(formatExpiry(text)).toBe(shown))

test('formatting a formatted value does not change it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,19}$/), (digits) => {
      expect(groupNumber(groupNumber(digits))).toBe(groupNumber(digits))
      expect(formatExpiry(formatExpiry(digits.slice(0, 4)))).toBe(formatExpiry(digits.slice(0, 4)))
    }),
  )
})

/** Types into an input like a browser. */
function type(
  target: HTMLInputElement,
  value: string,
  caret = value.length,
  init: InputEventInit = {},
) {
  target.focus()
  target.value = value
  target.setSelectionRange(caret, caret)
  target.dispatchEvent(new InputEvent('input', { bubbles: true, ...init }))
}

test.for<[string, string, number, string, number]>([
  ['at the end', '41111', 5, '4111 1', 6],
  ['after a digit in the middle', '4111 11 1', 7, '4111 111', 7],
  ['after a digit that moves to the next group', '41119 1111', 5, '4111 9111 1', 6],
  ['at the start', '41111', 0, '4111 1', 0],
])('the caret stays after the same digit: %s', ([, typed, caret, shown, place]) => {
  const form = addForm()
  jQuery(form).mondido({ format: true })
  const number = input(form, 'card_number')
  type(number, typed, caret)
  expect([number.value, number.selectionStart]).toEqual([shown, place])
})

test.for<[string, string, string, number, string, number]>([
  ['card_number', 'behind a blank', '41111111', 4, '4111 111', 3],
  ['card_expiry', 'behind a slash', '12 /34', 4, '13 / 4', 1],
  ['card_number', 'behind a digit', '4111 111', 8, '4111 111', 8],
])('in %s, Backspace %s deletes one digit', ([name, , typed, caret, shown, place]) => {
  const form = addForm()
  jQuery(form).mondido({ format: true })
  const field = input(form, name)
  type(field, typed, caret, { inputType: 'deleteContentBackward' })
  expect([field.value, field.selectionStart]).toEqual([shown, place])
})

test('limits of length leave space for blanks until the form is released', () => {
  const form = addForm()
  const limits = () =>
    ['card_number', 'card_expiry', 'card_cvv'].map((name) => input(form, name).maxLength)
  input(form, 'card_number').maxLength = 16
  input(form, 'card_expiry').maxLength = 5
  input(form, 'card_cvv').maxLength = 4
  jQuery(form).mondido({ format: true })
  expect(limits()).toEqual([23, 9, 4])
  jQuery(form).mondido('destroy')
  expect(limits()).toEqual([16, 5, 4])
})

test('existing values are formatted immediately', () => {
  const form = addForm()
  jQuery(form).mondido({ format: true })
  expect([input(form, 'card_number').value, input(form, 'card_expiry').value]).toEqual([
    '4111 1111 1111 1111',
    '12 / 30',
  ])
})

test('values are not formatted while an input method composes', () => {
  const form = addForm()
  jQuery(form).mondido({ format: true })
  type(input(form, 'card_number'), '41111', 5, { isComposing: true })
  expect(input(form, 'card_number').value).toBe('41111')
})

test('inputs that refuse blanks are left alone', () => {
  const form = addForm()
  input(form, 'card_number').type = 'number'
  jQuery(form).mondido({ format: true })
  expect(input(form, 'card_number').value).toBe('4111111111111111')
})

test('values are not formatted by default', () => {
  const form = addForm()
  jQuery(form).mondido()
  type(input(form, 'card_number'), '41111')
  expect(input(form, 'card_number').value).toBe('41111')
})

test('the page gets an event when the card type changes, and only then', () => {
  const form = addForm({ card: { card_number: '' } })
  const heard = vi.fn()
  jQuery(form)
    .mondido({ validate: 'card' })
    .on('card:brand', (_event, { brand }) => heard(brand))
  for (const text of ['4', '41', '', '37', '5555']) type(input(form, 'card_number'), text)
  expect(heard.mock.calls).toEqual([['visa'], [null], ['amex'], ['mastercard']])
})
