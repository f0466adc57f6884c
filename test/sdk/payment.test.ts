import jQuery from 'jquery'
import { describe, expect, test, vi } from 'vitest'
import type { MondidoOptions } from '../../sdk/types.ts'
import { hashOf } from './helpers/merchant.ts'
import {
  attemptPayment,
  CARD_NUMBER,
  ending,
  failPayment,
  failure,
  input,
  payableForm,
  press,
  recordStates,
} from './helpers/shop.ts'
import { useStage } from './helpers/stage.ts'

const stage = useStage()
const sent = () => stage.gateway.payments[0]?.fields ?? new URLSearchParams()

describe('a payment in ajax mode', () => {
  test('reaches the gateway with its card fields encrypted, and the page gets the transaction', async () => {
    const form = payableForm({}, { fields: { payment_ref: 'ajax-1' } })
    const succeeded = vi.fn()
    jQuery(form).on('payment:success', succeeded)
    await attemptPayment(form)
    expect(succeeded.mock.calls).toMatchObject([
      [
        { type: 'payment:success' },
        { status: 'approved', payment_ref: 'ajax-1', card_number: '411111******1111' },
      ],
    ])
    expect(sent().get('card_holder')).toBe('Åsa Öst')
    expect(sent().get('encrypted')).toBe('card_number,card_cvv,card_expiry')
    expect(stage.gateway.decrypt(sent().get('card_number'))).toBe(CARD_NUMBER)
    expect(stage.gateway.decrypt(sent().get('card_expiry'))).toBe('1230')
  })

  test('is sent as a plain form, so that browsers send no preflight', async () => {
    const form = payableForm()
    await attemptPayment(form)
    const headers = stage.gateway.payments[0]?.headers
    expect(headers?.get('content-type')).toBe('application/x-www-form-urlencoded;charset=UTF-8')
    for (const name of ['x-requested-with', 'authorization', 'x-csrf-token'])
      expect(headers?.has(name)).toBe(false)
  })

  test('names its attempt and the version of the library', async () => {
    const form = payableForm()
    await attemptPayment(form)
    expect(sent().get('mondido_attempt')).toMatch(/^[0-9a-f]{32}$/)
    expect(sent().get('mondido_attempt')).toBe(jQuery(form).mondido('instance')?.attempt)
    expect(sent().get('mondido_v')).toBe(jQuery.mondido.version)
  })

  test('goes through its states in order', async () => {
    const form = payableForm()
    const states = recordStates(form)
    const end = ending(form)
    press(form)
    expect(states).toEqual(['before', 'encrypting', 'sending'])
    await end
    expect(states).toEqual(['before', 'encrypting', 'sending', 'success'])
    expect(form.getAttribute('data-mondido-state')).toBe('success')
  })

  test('reads values when it is submitted, so that a page can set them late', async () => {
    const form = payableForm()
    input(form, 'card_holder').value = 'Set late'
    await attemptPayment(form)
    expect(sent().get('card_holder')).toBe('Set late')
  })

  test('empties only the encrypted inputs when it is paid', async () => {
    const form = payableForm()
    await attemptPayment(form)
    expect(
      ['card_number', 'card_cvv', 'card_expiry', 'card_holder'].map(
        (name) => input(form, name).value,
      ),
    ).toEqual(['', '', '', 'Åsa Öst'])
  })

  test('keeps the inputs with clearOnSuccess: false', async () => {
    const form = payableForm({ clearOnSuccess: false })
    await attemptPayment(form)
    expect(input(form, 'card_number').value).toBe(CARD_NUMBER)
  })

  test('shows that it runs, and removes every sign of it afterwards', async () => {
    const form = payableForm({}, { attributes: 'class="mine"' })
    const button = form.querySelector('button')
    const end = ending(form)
    press(form)
    expect([
      form.className,
      form.getAttribute('aria-busy'),
      button?.getAttribute('aria-disabled'),
    ]).toEqual(['mine mondido-busy', 'true', 'true'])
    expect(document.querySelector('[role=status]')?.textContent).toBe('Paying…')
    await end
    expect([
      form.className,
      form.getAttribute('aria-busy'),
      button?.getAttribute('aria-disabled'),
    ]).toEqual(['mine', null, null])
    expect(document.querySelector('[role=status]')?.textContent).toBe('The payment is complete.')
  })

  test('is announced again when the payer submits a paid form, and not sent again', async () => {
    const form = payableForm()
    await attemptPayment(form)
    press(form)
    expect(stage.gateway.payments).toHaveLength(1)
  })
})

describe('a rejected payment', () => {
  test('fails with the name, code and description of the service', async () => {
    const form = payableForm({}, { card: { card_cvv: '201' }, fields: { locale: 'sv' } })
    const failed = vi.fn()
    jQuery(form).on('payment:fail', failed)
    expect(await failPayment(form)).toMatchObject({
      category: 'api',
      name: 'errors.payment.declined',
      code: 129,
      outcome: 'rejected',
      retryable: true,
      status: 400,
    })
    expect(failed.mock.calls).toMatchObject([
      [{ type: 'payment:fail' }, { description: 'Betalningen nekades' }],
    ])
  })

  test('marks the field that the service names, and links it to the text', async () => {
    const form = payableForm({}, { card: { card_cvv: '202' } })
    const error = await failPayment(form)
    expect(error).toMatchObject({ name: 'errors.card_cvv.invalid', field: 'card_cvv' })
    const cvv = input(form, 'card_cvv')
    const text = document.getElementById(cvv.getAttribute('aria-describedby') ?? '')
    expect([cvv.getAttribute('aria-invalid'), text?.textContent]).toEqual([
      'true',
      error.description,
    ])
  })

  test('can be tried again, as a new attempt without the marks of the last', async () => {
    const form = payableForm({}, { card: { card_cvv: '202' } })
    const first = failure(form)
    press(form)
    const { attempt } = await first
    input(form, 'card_cvv').value = '200'
    const second = ending(form)
    press(form)
    expect(await second).toMatchObject({ transaction: { status: 'approved' } })
    expect(input(form, 'card_cvv').hasAttribute('aria-invalid')).toBe(false)
    expect(stage.gateway.payments[1]?.fields.get('mondido_attempt')).not.toBe(attempt)
  })

  test('shows no message if a handler prevents it', async () => {
    const form = payableForm({}, { card: { card_cvv: '202' } })
    jQuery(form).on('payment:fail', (event) => event.preventDefault())
    await failPayment(form)
    expect(input(form, 'card_cvv').hasAttribute('aria-invalid')).toBe(false)
    expect(document.querySelector('[role=status]')?.textContent).toBe('Paying…')
  })

  test('continues with the next attempt if a handler submits again immediately', async () => {
    const form = payableForm({}, { card: { card_cvv: '201' } })
    jQuery(form).one('payment:fail', () => {
      input(form, 'card_cvv').value = '200'
      jQuery(form).mondido('submit')
    })
    const paid = new Promise((resolve) => form.addEventListener('mondido:success', resolve))
    press(form)
    await paid
    expect(jQuery(form).mondido('state')).toBe('success')
  })
})

test('a handler that fixes a problem before sending can submit again immediately', async () => {
  const form = payableForm({}, { card: { card_number: 'x'.repeat(184) } })
  jQuery(form).one('payment:fail', () => {
    input(form, 'card_number').value = CARD_NUMBER
    jQuery(form).mondido('submit')
  })
  const paid = new Promise((resolve) => form.addEventListener('mondido:success', resolve))
  press(form)
  await paid
  expect(stage.gateway.payments).toHaveLength(1)
})

test('a handler of payment:success that fails does not turn the payment into a failure', async () => {
  const form = payableForm()
  const failed = vi.fn()
  jQuery(form)
    .on('payment:fail', failed)
    .on('payment:success', () => {
      throw new Error('broken page')
    })
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
  expect(failed).not.toHaveBeenCalled()
})

test.for<[string, PropertyDescriptor]>([
  ['cannot be written', { get: () => '200' }],
  [
    'is watched by a script that throws',
    {
      get: () => '200',
      set: () => {
        throw new Error('broken mask')
      },
    },
  ],
])('an annotated element whose value %s does not stop the success event', async ([, value]) => {
  const form = payableForm({}, { extra: '<i data-encrypt-attribute="card_pin"></i>' })
  Object.defineProperty(form.querySelector('i'), 'value', value)
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
  expect([jQuery(form).mondido('state'), form.hasAttribute('aria-busy')]).toEqual([
    'success',
    false,
  ])
  expect(stage.errors).toEqual([[expect.stringContaining('continues without'), expect.any(Error)]])
  expect(document.querySelector('[role=status]')?.textContent).toBe('The payment is complete.')
})

test('a handler of payment:success can destroy the form, or start the next order', async () => {
  const first = payableForm()
  const end = ending(first)
  jQuery(first).on('payment:success', () => void jQuery(first).mondido('destroy'))
  press(first)
  await end
  expect([input(first, 'card_number').value, first.querySelector('[role=status]')]).toEqual([
    '',
    null,
  ])
  const second = payableForm({}, { id: 'next' })
  jQuery(second).one('payment:success', () => {
    second.reset()
    input(second, 'payment_ref').value = 'next-order'
    input(second, 'hash').value = hashOf(
      Object.fromEntries(new FormData(second)) as Record<string, string>,
    )
    jQuery(second).mondido('submit')
  })
  press(second)
  await stage.gateway.arrival(3)
  expect(stage.gateway.decrypt(stage.gateway.payments[2]?.fields.get('card_number'))).toBe(
    CARD_NUMBER,
  )
})

test('the old page pattern works: chained handlers, an own window.mondido, a spinner in payment:before', async () => {
  const form = payableForm()
  const results: unknown[] = []
  jQuery(form)
    .on('payment:before', () => {
      Object.assign(window, { mondido: { called: false } })
    })
    .on('payment:success', (event, transaction) =>
      results.push(transaction.status, Object(event).transaction.status),
    )
  await attemptPayment(form)
  expect(results).toEqual(['approved', 'approved'])
  expect(Object(window).mondido).toEqual({ called: false })
  delete Object(window).mondido
})

test.for([
  ['200', 'approved'],
  ['201', 'errors.payment.declined'],
])('the callbacks of pages of 2014 are called too (CVV %s)', async ([card_cvv, result]) => {
  const calls: unknown[] = []
  const form = payableForm(
    { success: ({ status }) => calls.push(status), error: ({ name }) => calls.push(name) },
    { card: { card_cvv: card_cvv ?? '' } },
  )
  await attemptPayment(form)
  await Promise.resolve()
  expect(calls).toEqual([result])
})

test('an action of # is ignored', async () => {
  const form = payableForm({}, { attributes: 'action="#"' })
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
})

test.for<[string, Record<string, string>, MondidoOptions, string]>([
  ['the page', {}, {}, 'en'],
  ['the page, for a language the service does not have', { locale: 'fi' }, {}, 'en'],
  ['the form', { locale: 'sv' }, {}, 'sv'],
  ['the option', { locale: 'sv' }, { locale: 'en' }, 'en'],
])('the service answers in the language of %s', async ([, fields, options, locale]) => {
  document.documentElement.lang = 'en-GB'
  const form = payableForm(options, { fields, card: { card_cvv: '201' } })
  const { message } = await failPayment(form)
  document.documentElement.lang = ''
  expect([sent().getAll('locale'), message]).toEqual([
    [locale],
    locale === 'sv' ? 'Betalningen nekades' : 'Payment declined',
  ])
})
