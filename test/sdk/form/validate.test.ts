import jQuery from 'jquery'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FieldProblem, MondidoError } from '../../../sdk/types.ts'
import { addForm, input, installLibrary, payableForm, press } from '../helpers/shop.ts'

/** Mock that is called when a form passes its checks. */
const passed = vi.fn()
let errors: MondidoError[]

beforeEach(() => {
  installLibrary()
  vi.spyOn(console, 'warn').mockReturnValue()
  errors = []
  document.addEventListener('mondido:fail', collect)
})
afterEach(() => {
  document.removeEventListener('mondido:fail', collect)
  document.body.innerHTML = ''
  vi.restoreAllMocks()
  passed.mockClear()
})
const collect = (event: Event) => errors.push((event as CustomEvent).detail)

/**
 * Submits a form without the browser's own check, which a press of the button would start. The
 * attempt ends after the library's checks.
 */
function submit(form: HTMLFormElement, submitter?: HTMLElement): void {
  const $form = jQuery(form).on('payment:state', (_event, { to }) => {
    if (to !== 'encrypting') return
    passed()
    $form.mondido('destroy')
  })
  $form.mondido('instance')?.submit(submitter)
}

test('payment:before fires before the checks, so a handler can fill in required fields', () => {
  const form = payableForm({}, { fields: { card_holder: '' } })
  input(form, 'card_holder').required = true
  jQuery(form).on('payment:before', () => {
    input(form, 'card_holder').value = 'From the handler'
  })
  submit(form)
  expect([errors, passed.mock.calls.length]).toEqual([[], 1])
})

test('a payment that payment:before stops is not checked', () => {
  const form = payableForm({}, { fields: { card_holder: '' } })
  input(form, 'card_holder').required = true
  jQuery(form).on('payment:before', () => false)
  submit(form)
  expect([errors, jQuery(form).mondido('state')]).toEqual([[], 'idle'])
})

describe('the browser’s own check', () => {
  test('stops a payment with an empty required input: the input is marked, focused and announced', () => {
    const form = payableForm({}, { card: { card_holder: '' } })
    const holder = form.querySelector<HTMLInputElement>(
      '[data-encrypt-attribute=card_holder]',
    ) as HTMLInputElement
    holder.required = true
    submit(form)
    expect(errors).toMatchObject([
      {
        code: 'validation.native',
        category: 'validation',
        field: 'card_holder',
        outcome: 'not_sent',
        state: 'before',
        retryable: true,
      },
    ])
    expect([holder.getAttribute('aria-invalid'), document.activeElement === holder]).toEqual([
      'true',
      true,
    ])
    expect(document.querySelector('[role=status]')?.textContent).toBe(errors[0]?.message)
    expect(passed).not.toHaveBeenCalled()
  })

  test.for<[string, string]>([
    ['the form has novalidate', 'novalidate'],
    ['the option is false', 'data-mondido-validate="false"'],
  ])('is skipped if %s', ([, attributes]) => {
    const form = payableForm({}, { attributes, fields: { card_holder: '' } })
    input(form, 'card_holder').required = true
    submit(form)
    expect(passed).toHaveBeenCalledOnce()
  })

  test('is skipped if the pressed button has formnovalidate', () => {
    const form = payableForm(
      {},
      { fields: { card_holder: '' }, extra: '<button id="later" formnovalidate></button>' },
    )
    input(form, 'card_holder').required = true
    submit(form, document.getElementById('later') as HTMLElement)
    expect(passed).toHaveBeenCalledOnce()
  })
})

describe('validate: card', () => {
  test.for<[string, Record<string, string>]>([
    ['validation.card_number', { card_number: '4111111111111112' }],
    ['validation.expiry', { card_expiry: '1220' }],
    ['validation.expiry', { card_expiry: '1330' }],
    ['validation.cvv', { card_cvv: '20' }],
    ['validation.holder', { card_holder: ' ' }],
  ])('%s for %j', ([code, card]) => {
    const form = payableForm({ validate: 'card' }, { card, fields: { locale: 'sv' } })
    submit(form)
    expect(errors).toMatchObject([
      { code, field: Object.keys(card)[0], description: expect.stringMatching(/kort/i) },
    ])
    expect(passed).not.toHaveBeenCalled()
  })

  test('reports all wrong fields together, in the order of their importance', () => {
    const form = payableForm({ validate: 'card' }, { card: { card_number: '', card_cvv: '' } })
    submit(form)
    expect(errors[0]?.fields?.map(({ code }) => code)).toEqual([
      'validation.card_number',
      'validation.cvv',
    ])
  })

  test.for<[string, Record<string, string>]>([
    ['a good card', {}],
    ['a good card with blanks', { card_number: '4111 1111 1111 1111', card_expiry: '12 / 30' }],
    ['a stored card', { card_number: 'a1b2', card_expiry: '', card_type: 'STORED_CARD' }],
  ])('accepts %s', ([, card]) => {
    submit(payableForm({ validate: 'card' }, { card }))
    expect([errors.length, passed.mock.calls.length]).toEqual([0, 1])
  })
})

describe('a validation of the page', () => {
  test('stops the payment with its problems', () => {
    const problem: FieldProblem = {
      field: 'card_holder',
      code: 'shop.name',
      message: 'Your full name, please.',
    }
    const form = payableForm({ validate: () => [problem] })
    submit(form)
    expect(errors).toMatchObject([
      { code: 'shop.name', message: 'Your full name, please.', fields: [problem] },
    ])
    expect(input(form, 'card_holder').getAttribute('aria-invalid')).toBe('true')
  })

  test('stops the payment too if it fails itself', () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const form = payableForm({
      validate: () => {
        throw new Error('broken')
      },
    })
    submit(form)
    expect(errors).toMatchObject([{ code: 'integration.before', outcome: 'not_sent' }])
  })

  test.for([null, undefined, true, 'wrong'])(
    'stops it with a clear message if it returns %s',
    (result) => {
      const { calls } = vi.spyOn(console, 'error').mockReturnValue().mock
      submit(payableForm({ validate: () => result as unknown as FieldProblem[] }))
      expect(errors).toMatchObject([{ code: 'integration.before', outcome: 'not_sent' }])
      expect(calls).toEqual([[expect.stringContaining('Return a list of problems')]])
    },
  )

  test('a validation that submits the form starts no second attempt', () => {
    const form = payableForm({
      validate: (own) => {
        press(own)
        return []
      },
    })
    submit(form)
    expect(passed).toHaveBeenCalledOnce()
  })
})

test('the marks of a failed validation disappear after reset, and the page’s own description is restored', () => {
  const form = addForm({ fields: { card_holder: '' }, extra: '<p id="hint"></p>' })
  const holder = input(form, 'card_holder')
  holder.required = true
  holder.setAttribute('aria-describedby', 'hint')
  jQuery(form).mondido()
  submit(form)
  expect(holder.getAttribute('aria-describedby')).toMatch(/^hint mondido-\w{32}-0$/)
  form.reset()
  expect([holder.getAttribute('aria-describedby'), holder.hasAttribute('aria-invalid')]).toEqual([
    'hint',
    false,
  ])
})
