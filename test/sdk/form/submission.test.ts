import jQuery from 'jquery'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addForm, attemptPayment, ending, input, payableForm, press } from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
afterEach(() => void jQuery(document).add(document.body).off('.test'))

const settle = () => new Promise((resolve) => setTimeout(resolve))
const stop = (event: Event | JQuery.TriggeredEvent) => event.preventDefault()
const SUBMITS: [string, (form: HTMLFormElement) => unknown][] = [
  ['pressed', press],
  ['triggered through jQuery', (form) => jQuery(form).trigger('submit')],
]

type Bind = (form: HTMLFormElement) => unknown

const JQUERY_HANDLERS: [string, Bind][] = [
  ['a jQuery handler', (form) => jQuery(form).on('submit', stop)],
  ['a handler that returns false', (form) => jQuery(form).on('submit', () => false)],
  ['a delegated handler', () => jQuery(document.body).on('submit.test', 'form', () => false)],
  [
    'one that stops the event first',
    (form) =>
      jQuery(form).on('submit', (event) => {
        event.stopPropagation()
        event.preventDefault()
      }),
  ],
]
const NATIVE_HANDLERS: [string, Bind][] = [
  ['a native listener', (form) => form.addEventListener('submit', stop)],
  ['one around the form', () => document.body.addEventListener('submit', stop, { once: true })],
  [
    'one that sets returnValue',
    (form) =>
      form.addEventListener('submit', (event) => {
        event.returnValue = false
      }),
  ],
  [
    'one that stops the event, and one around the form,',
    (form) => {
      form.addEventListener('submit', (event) => event.stopPropagation())
      form.addEventListener('submit', stop)
    },
  ],
]

describe.for(SUBMITS)('a form that is %s', ([how, submit]) => {
  test.for(how === 'pressed' ? [...NATIVE_HANDLERS, ...JQUERY_HANDLERS] : JQUERY_HANDLERS)(
    'is not paid if %s that was added later prevents the event',
    async ([, bind]) => {
      const form = payableForm()
      bind(form)
      const native = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
      submit(form)
      await settle()
      expect([jQuery(form).mondido('state'), stage.gateway.payments, native.mock.calls]).toEqual([
        'idle',
        [],
        [],
      ])
    },
  )

  test.for<[what: string, change: (field: HTMLInputElement) => unknown, locale: string | null]>([
    ['disables is sent', (field) => field.setAttribute('disabled', ''), 'en'],
    ['fills in is sent', (field) => Object.assign(field, { value: 'sv' }), 'sv'],
  ])('a field that a handler %s', async ([, change, locale]) => {
    const extra =
      '<fieldset><input name="locale" value="en"></fieldset><input name="eci" value="1" disabled>'
    const form = addForm({ extra })
    jQuery(form)
      .mondido({ type: 'ajax' })
      .on('submit', () => void change(input(form, 'locale')))
    const end = ending(form)
    submit(form)
    await end
    const fields = stage.gateway.payments[0]?.fields
    expect([fields?.get('locale'), fields?.has('eci')]).toEqual([locale, false])
  })

  test('is paid if a handler prevents the event and calls submit itself', async () => {
    const form = addForm()
    jQuery(form).on('submit', () => {
      jQuery(form).mondido('submit')
      return false
    })
    jQuery(form).mondido({ type: 'ajax' })
    const end = ending(form)
    submit(form)
    await end
    expect(stage.gateway.payments).toHaveLength(1)
    expect(stage.warnings.join()).not.toContain('page.submit_prevented')
  })

  test('is paid during its submit event, and never sent by the browser', async () => {
    const form = payableForm()
    const native = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
    const end = ending(form)
    submit(form)
    expect(jQuery(form).mondido('state')).toBe('sending')
    await end
    expect([stage.gateway.payments.length, native.mock.calls.length]).toEqual([1, 0])
  })

  test.for(['stopPropagation', 'stopImmediatePropagation'] as const)(
    'is paid when a handler calls %s, and never sent by the browser',
    async (method) => {
      const form = payableForm()
      const native = vi.spyOn(HTMLFormElement.prototype, 'submit').mockReturnValue()
      jQuery(form).on('submit', (event) => event[method]())
      const end = ending(form)
      submit(form)
      await end
      expect([stage.gateway.payments.length, native.mock.calls.length]).toEqual([1, 0])
    },
  )

  test('is paid once if it is also mounted by delegation', async () => {
    const form = addForm({ attributes: 'class="pay"' })
    jQuery(form).mondido({ type: 'ajax' })
    jQuery(document.body).mondido({ delegate: 'form.pay' })
    const end = ending(form)
    submit(form)
    await end
    expect(stage.gateway.payments).toHaveLength(1)
    jQuery(document.body).mondido('destroy')
  })
})

test('a submit event looks prevented to a router at the document, so that it leaves the form alone', async () => {
  const form = payableForm()
  const seen: boolean[] = []
  document.addEventListener('submit', (event) => seen.push(event.defaultPrevented), { once: true })
  await attemptPayment(form)
  expect([seen, stage.gateway.payments.length]).toEqual([[true], 1])
})

test('a form added later that is mounted by delegation hears the handlers of its first submit', async () => {
  jQuery(document.body).mondido({ delegate: 'form.pay', type: 'ajax' })
  const form = addForm({ attributes: 'class="pay"' })
  document.addEventListener('submit', stop, { once: true })
  press(form)
  await settle()
  expect([jQuery(form).mondido('state'), stage.gateway.payments]).toEqual(['idle', []])
  jQuery(document.body).mondido('destroy')
})
