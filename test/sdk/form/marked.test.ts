import jQuery from 'jquery'
import { expect, test } from 'vitest'
import { CARD_NUMBER, ending, failure, payableForm, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()

/** Text field of a component library. It is not an HTML control, and its value is a property. */
class Field extends HTMLElement {
  text: string | null = null
  get value() {
    return this.text ?? this.getAttribute('value')
  }
  set value(text) {
    this.text = text
  }
  get disabled() {
    return this.hasAttribute('disabled')
  }
  get name() {
    return this.getAttribute('name') ?? ''
  }
}
customElements.define('x-field', Field)

const pay = async (form: HTMLFormElement) => {
  const end = ending(form)
  press(form)
  await end
  return stage.gateway.payments[0]?.fields
}
/** Creates a form with its card number in a component. */
const formWith = (component: string, outside = '') => {
  const form = payableForm({}, { card: { card_number: '' }, extra: component })
  form.querySelector('input[data-encrypt-attribute=card_number]')?.remove()
  document.body.insertAdjacentHTML('beforeend', outside)
  return form
}

test.for([
  [`<x-field data-encrypt-attribute="card_number" value="${CARD_NUMBER}"></x-field>`],
  [
    '',
    `<x-field data-encrypt-attribute="card_number" value="${CARD_NUMBER}" form="pay"></x-field>`,
  ],
  [`<x-field data-encrypt-attribute name="card_number" value="${CARD_NUMBER}"></x-field>`],
] as const)(
  'an annotated component is encrypted with its value: %s %s',
  async ([component, outside]) => {
    const fields = await pay(formWith(component, outside))
    expect(stage.gateway.decrypt(fields?.get('card_number'))).toBe(CARD_NUMBER)
    expect(fields?.get('encrypted')?.split(',')).toContain('card_number')
  },
)

test('an annotated component without a text stops the payment', async () => {
  const form = formWith('<x-field data-encrypt-attribute="card_number"></x-field>')
  const end = failure(form)
  press(form)
  expect(await end).toMatchObject({ code: 'form.unreadable_field', outcome: 'not_sent' })
  expect(stage.gateway.payments).toEqual([])
})

test('a disabled component is omitted, and so is a component of another form', async () => {
  const fields = await pay(
    payableForm(
      {},
      {
        extra:
          '<x-field data-encrypt-attribute="card_type" value="VISA" disabled></x-field><x-field data-encrypt-attribute="card_type" value="VISA" form="other"></x-field>',
      },
    ),
  )
  expect(fields?.get('encrypted')).toBe('card_number,card_cvv,card_expiry')
})

test('an annotated component is emptied after payment, and marked if the service names it in an error', async () => {
  const form = payableForm(
    { validate: 'card' },
    { extra: '<x-field data-encrypt-attribute="card_holder"></x-field>' },
  )
  form.querySelector('input[name=card_holder]')?.remove()
  const field = form.querySelector('x-field') as Field
  field.value = ''
  const end = failure(form)
  press(form)
  expect(await end).toMatchObject({ code: 'validation.holder' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  field.value = 'Åsa Öst'
  await pay(form)
  expect([field.value, field.hasAttribute('aria-invalid')]).toEqual(['', false])
})

test('a stored card’s token is not a card number', async () => {
  const form = payableForm(
    {},
    { fields: { test: 'false', card_number: 'a'.repeat(32), card_type: 'STORED_CARD' } },
  )
  form.querySelector('[data-encrypt-attribute=card_number]')?.remove()
  const end = ending(form)
  press(form)
  await end
  expect(stage.gateway.payments[0]?.fields.get('card_number')).toBe('a'.repeat(32))
  expect(jQuery(form).mondido('state')).toBe('fail')
})
