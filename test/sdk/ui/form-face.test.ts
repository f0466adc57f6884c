import jQuery from 'jquery'
import { expect, test } from 'vitest'
import type { FieldProblem, MondidoOptions } from '../../../sdk/types.ts'
import {
  addForm,
  attemptPayment,
  ending,
  failPayment,
  input,
  payableForm,
  press,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

useStage()

const WRONG = { card_number: '4111111111111112', card_cvv: '20' }
const holder = (message: string): FieldProblem => ({
  field: 'card_holder',
  code: 'shop.name',
  message,
})

const region = (form: Element) =>
  form.querySelector<HTMLElement>('form > .mondido-message:not([id])')

/** Returns the texts that describe a field of a form. */
const descriptions = (form: HTMLFormElement, name: string): (string | undefined)[] =>
  (input(form, name).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent)

/** Creates a form whose payment a check of the library or the page has stopped. */
async function stoppedForm(options: MondidoOptions, card = WRONG, extra = '') {
  const form = payableForm(options, { card, extra })
  await failPayment(form)
  return form
}

test('the live region is in the form, has a language and is empty before the first message', async () => {
  const form = payableForm({ locale: 'sv' })
  const before = region(form)
  expect([before?.getAttribute('role'), before?.lang, before?.textContent]).toEqual([
    'status',
    'sv',
    '',
  ])
  await attemptPayment(form)
  expect([region(form) === before, before?.textContent]).toEqual([true, 'Betalningen är klar.'])
})

test('the live region has the language of its text', async () => {
  const form = payableForm({}, { fields: { locale: 'sv' } })
  const end = ending(form)
  press(form)
  expect([region(form)?.lang, region(form)?.textContent]).toEqual(['sv', 'Betalar…'])
  await end
})

test('a live region that the page removed is created again', async () => {
  const form = payableForm()
  region(form)?.remove()
  await attemptPayment(form)
  expect(region(form)?.textContent).toBe('The payment is complete.')
})

test('each wrong field has its own message, and the first wrong field in the form gets the focus', async () => {
  const form = await stoppedForm({ validate: 'card' })
  expect(descriptions(form, 'card_number')).toEqual(['Check the card number.'])
  expect(descriptions(form, 'card_cvv')).toEqual(['Check the security code of the card.'])
  expect(descriptions(form, 'card_expiry')).toEqual([])
  expect(document.activeElement).toBe(input(form, 'card_number'))
  expect(form.querySelectorAll('.mondido-message[lang=en][hidden]')).toHaveLength(2)
})

test('a corrected field loses its mark and its message, and other fields keep theirs', async () => {
  const form = await stoppedForm({ validate: 'card' })
  input(form, 'card_number').dispatchEvent(new Event('input', { bubbles: true }))
  expect([
    input(form, 'card_number').hasAttribute('aria-invalid'),
    descriptions(form, 'card_number'),
  ]).toEqual([false, []])
  expect([
    input(form, 'card_cvv').getAttribute('aria-invalid'),
    descriptions(form, 'card_cvv').length,
  ]).toEqual(['true', 1])
  jQuery(form).mondido('destroy')
  expect(form.querySelector('.mondido-message, [aria-invalid], [aria-describedby]')).toBeNull()
})

test('two problems of one field are shown together, and removed together', async () => {
  const form = await stoppedForm({
    validate: () => [holder('Your full name, please.'), holder('No digits.')],
  })
  expect(descriptions(form, 'card_holder')).toEqual(['Your full name, please.', 'No digits.'])
  form.reset()
  expect([
    descriptions(form, 'card_holder'),
    input(form, 'card_holder').hasAttribute('aria-invalid'),
  ]).toEqual([[], false])
  expect(region(form)?.textContent).toBe('')
})

test('showMessages inserts the message of a field after it, or after the label around it', async () => {
  const extra = '<label>Code <input data-encrypt-attribute="card_cvv" value="20"></label>'
  const form = addForm({ card: { card_number: WRONG.card_number, card_cvv: '' }, extra })
  input(form, 'card_cvv').remove()
  jQuery(form).mondido({ type: 'ajax', validate: 'card', showMessages: true })
  press(form)
  const [number, code] = [
    input(form, 'card_number').nextElementSibling,
    form.querySelector('label')?.nextElementSibling,
  ]
  expect([number?.textContent, code?.textContent]).toEqual([
    'Check the card number.',
    'Check the security code of the card.',
  ])
  expect(
    [number, code].map((message) => [message?.className, message?.hasAttribute('hidden')]),
  ).toEqual([
    ['mondido-message', false],
    ['mondido-message', false],
  ])
  // The live region is not visible, so that a message next to a field is not shown twice.
  expect(region(form)?.style.position).toBe('absolute')
})

test('data-mondido-show-messages inserts messages without a field at the end of the form', async () => {
  const form = addForm({ attributes: 'data-mondido-show-messages', card: { card_cvv: '201' } })
  jQuery(form).mondido({ type: 'ajax' })
  expect(region(form)?.style.position).toBe('absolute')
  const { message } = await failPayment(form)
  expect([region(form)?.textContent, region(form)?.style.position]).toEqual([message, ''])
})

test('with announce: false the inserted messages are not a live region', async () => {
  const form = await stoppedForm({ validate: 'card', announce: false, showMessages: true })
  expect([form.querySelector('[role=status]'), region(form) === null]).toEqual([null, false])
  expect(descriptions(form, 'card_number')).toEqual(['Check the card number.'])
})

test('two forms have live regions of their own', async () => {
  const [one, two] = [payableForm({}, { id: 'one' }), payableForm({}, { id: 'two' })]
  await attemptPayment(two)
  expect([region(one)?.textContent, region(two)?.textContent]).toEqual([
    '',
    'The payment is complete.',
  ])
})
