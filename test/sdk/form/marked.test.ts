import jQuery from 'jquery'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { holdsCardNumber } from '../../../sdk/card/card.ts'
import {
  addForm,
  attemptPayment,
  CARD_NUMBER,
  failPayment,
  payableForm,
  press,
} from '../helpers/shop.ts'
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
  await attemptPayment(form)
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
  expect(await failPayment(form)).toMatchObject({
    code: 'form.unreadable_field',
    outcome: 'not_sent',
  })
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
  expect(await failPayment(form)).toMatchObject({ code: 'validation.holder' })
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
  await attemptPayment(form)
  expect(stage.gateway.payments[0]?.fields.get('card_number')).toBe('a'.repeat(32))
  expect(jQuery(form).mondido('state')).toBe('fail')
})

describe('unencrypted card data', () => {
  beforeEach(() => void vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue())

  describe.for(['ajax', 'form'] as const)('with type %s', (type) => {
    test.for<[what: string, name: string, value: string, isTest: string]>(
      ['true', 'false'].flatMap((isTest) => [
        ['under its own name', 'card_number', '4111 1111 1111 1111', isTest],
        ['under another name', 'number', CARD_NUMBER, isTest],
        ['in card_holder', 'card_holder', CARD_NUMBER, isTest],
        ['within a text', 'metadata[note]', `please take ${CARD_NUMBER}, 12/30`, isTest],
        ['as the security code', 'card_cvv', '200', isTest],
      ]),
    )('card data %s (%s) stop the submit, test=%4$s', async ([, name, value, isTest]) => {
      const form = addForm({ fields: { test: isTest, [name]: value } })
      form.querySelector(`[data-encrypt-attribute=${CSS.escape(name)}]`)?.remove()
      jQuery(form).mondido({ type, mpi: false })
      expect(await failPayment(form)).toMatchObject({
        code: 'form.clear_card_data',
        outcome: 'not_sent',
        retryable: false,
      })
      expect(stage.gateway.payments).toEqual([])
      expect(HTMLFormElement.prototype.submit).not.toHaveBeenCalled()
      const [told] = stage.errors.flat()
      expect(told).toContain(`Card data in ${name} would be sent unencrypted.`)
      expect(JSON.stringify(stage.errors)).not.toContain(value)
    })
  })

  test('ignored controls are not searched, and a stored card’s token is not a card number', async () => {
    const extra = `<input name="copy" value="${CARD_NUMBER}" data-mondido-ignore>`
    const form = addForm({
      fields: { customer_ref: '1700000000000', token: 'a4111111111111111' },
      extra,
    })
    jQuery(form).mondido()
    press(form)
    expect(HTMLFormElement.prototype.submit).toHaveBeenCalledOnce()
  })

  test.for<[string, boolean]>([
    [CARD_NUMBER, true],
    ['4111-1111-1111-1111', true],
    ['4111 1111 1111 1111', true],
    ['4111.1111.1111.1111', true],
    ['４１１１１１１１１１１１１１１１', true],
    ['٤١١١-١١١١-١١١١-١١١١', true],
    ['order_4111111111111111', true],
    ['12 4111 1111 1111 1111 12/30 200', true],
    ['{"a":"378282246310005"}', true],
    ['4111111111111112', false],
    ['1111111111111117', false],
    ['41111111111111114', false],
    ['f4111111111111111', false],
    ['4222222222222', false],
    ['2026-11-22 19:37:19.123456', false],
    ['', false],
  ])('the check finds a card number in %s: %s', ([text, holds]) =>
    expect(holdsCardNumber(text)).toBe(holds),
  )

  test('a text of 20 KB is searched in linear time, whatever it repeats', () => {
    for (const piece of ['4111111111111112 ', '1 ', '4'.repeat(17), 'a-', '1.'])
      expect(holdsCardNumber(piece.repeat(20_000 / piece.length))).toBe(false)
  })
})
