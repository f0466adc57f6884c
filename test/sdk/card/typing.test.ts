import fc from 'fast-check'
import jQuery from 'jquery'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatExpiry, groupNumber } from '../../../sdk/shared/typed-card.ts'
import { addForm, input, installLibrary } from '../helpers/shop.ts'

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
