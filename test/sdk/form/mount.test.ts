import jQuery from 'jquery'
import { describe, expect, test, vi } from 'vitest'
import { NEXT } from '../../../sdk/state.ts'
import type { MondidoState } from '../../../sdk/types.ts'
import {
  addForm,
  attemptPayment,
  ending,
  input,
  installLibrary,
  payableForm,
  press,
  recordStates,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
const settle = () => new Promise((resolve) => setTimeout(resolve))

test('every transition leads to a known state, and every state can be left', () => {
  const states = Object.keys(NEXT) as MondidoState[]
  for (const state of states) {
    expect(NEXT[state].length).toBeGreaterThan(0)
    expect(states).toEqual(expect.arrayContaining([...NEXT[state]]))
    expect(states.some((from) => NEXT[from].includes(state))).toBe(true)
  }
})

describe('without jQuery', () => {
  test('a form pays with the controller, and native events report it', async () => {
    const form = addForm()
    const { controller } = installLibrary(stage.gateway.config).mount(form, { type: 'ajax' })
    const end = ending(form)
    controller.submit()
    expect([controller.form, controller.state]).toEqual([form, 'sending'])
    expect(await end).toMatchObject({ transaction: { status: 'approved' } })
  })

  test('mounting again returns the same controller and changes its options', async () => {
    const library = installLibrary(stage.gateway.config)
    const form = addForm()
    const { controller } = library.mount(form)
    expect(library.mount(form, { busyClass: 'mine', type: 'ajax' }).controller).toBe(controller)
    const end = ending(form)
    controller.submit()
    expect(form.className).toBe('mine')
    await end
  })
})

describe('abort', () => {
  test('returns null if no attempt runs', () =>
    expect(jQuery(payableForm()).mondido('abort')).toBeNull())

  test('leaves nothing behind if nothing was sent', async () => {
    const form = payableForm()
    jQuery(form).on('payment:before', () => settle())
    const end = ending(form)
    press(form)
    expect(jQuery(form).mondido('abort')).toBe('not_sent')
    expect(await end).toMatchObject({ error: { code: 'network.aborted', outcome: 'not_sent' } })
    await settle()
    expect(stage.gateway.payments).toEqual([])
  })

  test('has an unknown outcome after the request was sent', async () => {
    const form = payableForm()
    const end = ending(form)
    press(form)
    expect(jQuery(form).mondido('abort')).toBe('unknown')
    expect(await end).toMatchObject({
      error: { code: 'network.aborted', outcome: 'unknown', retryable: false },
    })
    await stage.gateway.arrival()
  })
})

describe('destroy', () => {
  test('ends a running attempt without success or failure, and restores the form', async () => {
    const form = addForm()
    const html = form.outerHTML
    jQuery(form).mondido({ type: 'ajax' })
    const ends = vi.fn()
    jQuery(form).on('payment:success payment:fail', ends)
    press(form)
    jQuery(form).mondido('destroy')
    expect([form.outerHTML, jQuery(form).mondido('instance')]).toEqual([html, undefined])
    await stage.gateway.arrival()
    expect(ends).not.toHaveBeenCalled()
  })

  test('returns submits to the browser, and the controller does nothing more', () => {
    const form = payableForm()
    const controller = jQuery(form).mondido('instance')
    jQuery(form).mondido('destroy')
    const submitted = vi.fn((event: Event) => event.defaultPrevented)
    form.addEventListener('submit', (event) => {
      submitted(event)
      event.preventDefault()
    })
    press(form)
    controller?.submit()
    expect(submitted).toHaveReturnedWith(false)
    expect(recordStates(form)).toEqual([])
    expect(stage.gateway.payments).toEqual([])
  })

  test('allows the form to be mounted again', async () => {
    const form = payableForm()
    jQuery(form).mondido('destroy').mondido({ type: 'ajax' })
    expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
  })
})

describe('option', () => {
  test('applies to the next attempt', async () => {
    const form = payableForm()
    jQuery(form).mondido('option', { busyClass: 'mine' })
    const end = ending(form)
    press(form)
    expect(form.className).toBe('mine')
    await end
  })

  test('is rejected with a warning during an attempt', async () => {
    const form = payableForm()
    const end = ending(form)
    press(form)
    stage.warnings.length = 0
    jQuery(form).mondido('option', { busyClass: 'mine' })
    expect(stage.warnings).toEqual([[expect.stringContaining('during a payment')]])
    await end
  })
})

describe('reset', () => {
  test('makes a paid form ready for another order', async () => {
    const form = payableForm()
    const first = ending(form)
    press(form)
    await first
    form.reset()
    expect([jQuery(form).mondido('state'), jQuery(form).mondido('instance')?.attempt]).toEqual([
      'idle',
      null,
    ])
    input(form, 'payment_ref').value = 'another'
    const second = ending(form)
    press(form)
    expect(await second).toMatchObject({ error: { name: 'errors.hash.invalid' } })
  })

  test('does nothing during an attempt, or if the page prevents it', async () => {
    const form = payableForm()
    const end = ending(form)
    press(form)
    form.reset()
    expect(jQuery(form).mondido('state')).toBe('sending')
    await end
    form.addEventListener('reset', (event) => event.preventDefault(), { capture: true })
    form.reset()
    expect(jQuery(form).mondido('state')).toBe('success')
  })
})

describe('submitting', () => {
  test('a submit that another handler prevented is ignored', () => {
    const form = addForm()
    form.addEventListener('submit', (event) => event.preventDefault())
    jQuery(form).mondido({ type: 'ajax' })
    press(form)
    expect([jQuery(form).mondido('state'), stage.gateway.payments]).toEqual(['idle', []])
  })

  test('the pressed button’s name and value are sent', async () => {
    const form = payableForm(
      {},
      { extra: '<button name="locale" value="en" id="english">Pay</button>' },
    )
    const end = ending(form)
    document.getElementById('english')?.click()
    await end
    expect(stage.gateway.payments[0]?.fields.get('locale')).toBe('en')
  })

  test('no button is sent if none was pressed, not even the first', async () => {
    const form = payableForm({}, { extra: '<button name="metadata" value="1">Pay</button>' })
    const end = ending(form)
    form.requestSubmit()
    await end
    expect(stage.gateway.payments[0]?.fields.has('metadata')).toBe(false)
  })

  test('the submit event of a busy form reaches no further handler', async () => {
    const form = payableForm()
    const later = vi.fn()
    const end = ending(form)
    press(form)
    form.addEventListener('submit', later)
    press(form)
    expect(later).not.toHaveBeenCalled()
    await end
  })
})

test('announce: false shows no message and sets no focus', async () => {
  const form = payableForm({ announce: false }, { card: { card_cvv: '202' } })
  await attemptPayment(form)
  expect(document.querySelector('[role=status]')).toBeNull()
  expect(input(form, 'card_cvv').getAttribute('aria-invalid')).toBe('true')
  expect(input(form, 'card_cvv').hasAttribute('aria-describedby')).toBe(false)
})

test('lockButtons: false does not change the buttons, and an own aria-disabled is restored', async () => {
  const free = payableForm({ lockButtons: false }, { id: 'free' })
  const own = payableForm({}, { id: 'own' })
  const button = own.querySelector('button')
  button?.setAttribute('aria-disabled', 'false')
  const ends = Promise.all([ending(free), ending(own)])
  press(free)
  press(own)
  expect(free.querySelector('button')?.hasAttribute('aria-disabled')).toBe(false)
  expect(button?.getAttribute('aria-disabled')).toBe('true')
  await ends
  expect(button?.getAttribute('aria-disabled')).toBe('false')
})
