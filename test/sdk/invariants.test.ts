import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import type { NetworkFault } from './helpers/gateway.ts'
import {
  addForm,
  attemptPayment,
  CARD_NUMBER,
  ending,
  payableForm,
  press,
  recordListeners,
} from './helpers/shop.ts'
import { useStage } from './helpers/stage.ts'

const stage = useStage()
const quick = { timeouts: { statusRetry: 1 } }
const ENDINGS: [string, Record<string, string>, NetworkFault | undefined][] = [
  ['paid', {}, undefined],
  ['declined', { card_cvv: '201' }, undefined],
  ['lost and found', {}, 'lost answer'],
  ['lost', {}, 'lost request'],
]

/** Runs one attempt to its end. */
async function run(form: HTMLFormElement, fault?: NetworkFault): Promise<void> {
  if (fault) stage.gateway.breakNext(fault)
  await attemptPayment(form)
}

test.for(ENDINGS)('invariant 1: a payment that is %s ends once', async ([, card, fault]) => {
  const form = payableForm(quick, { card })
  const ends = vi.fn()
  jQuery(form).on('payment:success payment:fail', ({ type }) => ends(type))
  await run(form, fault)
  jQuery(form).mondido('abort')
  expect(ends).toHaveBeenCalledOnce()
})

test.for(ENDINGS)(
  'invariant 2: a payment that is %s shows no plain value anywhere',
  async ([, card, fault]) => {
    // The form has wrong mark-up: an encrypted input with a name, and a second input with the
    // parameter's name.
    const extra = `<input name="number" data-encrypt-attribute="card_number" value="${CARD_NUMBER}">
    <input name="card_number" value="${CARD_NUMBER}">`
    const form = payableForm(quick, { card, extra })
    const seen: unknown[] = []
    for (const name of ['before', 'state', 'success', 'fail']) {
      form.addEventListener(`mondido:${name}`, (event) => {
        const { form: _form, ...detail } = Object((event as CustomEvent).detail)
        seen.push(detail, detail.cause?.message, detail.cause?.stack)
      })
    }
    await run(form, fault)
    form.remove()
    const bodies = stage.gateway.payments.map(({ fields }) => String(fields))
    const everything = JSON.stringify([
      seen,
      bodies,
      stage.gateway.lookups,
      stage.warnings,
      stage.errors,
      document.documentElement.outerHTML,
      location.href,
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
    ])
    expect(everything).not.toContain(CARD_NUMBER)
    expect(everything.length).toBeGreaterThan(2000)
  },
)

test.for(ENDINGS)(
  'invariant 3: a payment that is %s restores the form, except for emptied values',
  async ([, card, fault]) => {
    const form = addForm({ card, attributes: 'class="mine"' })
    const html = form.outerHTML
    jQuery(form).mondido({ type: 'ajax', ...quick })
    const region = form.querySelector('[role=status]')
    const changed = new Set<string | null>()
    const observer = new MutationObserver((records) => {
      for (const { type, attributeName, target } of records) {
        if (!region?.contains(target)) changed.add(type === 'attributes' ? attributeName : type)
      }
    })
    observer.observe(form, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    await run(form, fault)
    await Promise.resolve()
    observer.disconnect()
    for (const name of changed) expect(name).toMatch(/^(aria-.*|class|data-mondido-state|value)$/)
    jQuery(form).mondido('destroy')
    const attributes = / (aria-\w+|data-mondido-state|value)="[^"]*"/g
    expect(form.outerHTML.replaceAll(attributes, '')).toBe(html.replaceAll(attributes, ''))
  },
)

test.for(ENDINGS)(
  'invariant 4: a payment that is %s leaves no timer, listener or node',
  async ([, card, fault]) => {
    const form = payableForm(quick, { card })
    const listeners = recordListeners()
    const timers = countTimers()
    const nodes = new Set(document.querySelectorAll('*'))
    await run(form, fault)
    expect(listeners).toEqual([])
    // A timer that an earlier test has left ends by itself.
    await expect.poll(timers).toBe(0)
    expect([...document.querySelectorAll('*')].filter((node) => !nodes.has(node))).toEqual([])
  },
)

/** Returns a function that counts the timers of the library that still run. */
function countTimers(): () => number {
  const running = new Set<unknown>()
  const { setTimeout, clearTimeout } = globalThis
  vi.stubGlobal('setTimeout', (run: () => void, pause: number) => {
    const timer = setTimeout(() => {
      running.delete(timer)
      run()
    }, pause)
    if (/sdk.scope\.ts/.test(new Error('stack').stack ?? '')) running.add(timer)
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
    running.delete(timer)
    clearTimeout(timer)
  })
  return () => running.size
}

test.for(ENDINGS)(
  'invariant 5: a payment that is %s opens no window for a merchant without 3-D Secure',
  async ([, card, fault]) => {
    const open = vi.spyOn(window, 'open')
    await run(payableForm({ ...quick, mpi: 'popup', mpiOpen: 'eager' }, { card }), fault)
    expect(open).not.toHaveBeenCalled()
  },
)

test('invariant 6: messages from other windows are ignored', async () => {
  const form = payableForm(quick)
  const success = vi.fn()
  jQuery(form).on('payment:success', success)
  jQuery(form).on('payment:before', () => {
    const data = JSON.stringify({ event: 'mpi', success: true, mpi_ref: 'forged' })
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'http://gateway.test' }))
  })
  await run(form)
  expect(success).toHaveBeenCalledOnce()
  expect(String(stage.gateway.payments[0]?.fields)).not.toContain('forged')
})

test.for(['submit', 'action', 'method', 'id', 'elements', 'target', 'length', 'name'])(
  'invariant 8: an input named %s causes no error',
  async (name) => {
    const form = payableForm(quick, { extra: `<input name="${name}" value="x">` })
    // In browsers, a control hides a property of its form with the same name. The emulated browser
    // does not do this.
    Object.defineProperty(form, name, {
      value: form.querySelector(`[name="${name}"]`),
      configurable: true,
    })
    await run(form)
    expect(stage.gateway.payments[0]?.fields.get(name)).toBe('x')
  },
)

test('invariant 9: two forms pay at the same time, each with its own order and outcome', async () => {
  const first = payableForm(quick, { id: 'first', fields: { payment_ref: 'first' } })
  const second = payableForm(quick, {
    id: 'second',
    fields: { payment_ref: 'second' },
    card: { card_cvv: '201' },
  })
  const ends = Promise.all([ending(first), ending(second)])
  press(first)
  press(second)
  expect(await ends).toMatchObject([
    { transaction: { payment_ref: 'first' } },
    { error: { code: 129 } },
  ])
  expect([jQuery(first).mondido('state'), jQuery(second).mondido('state')]).toEqual([
    'success',
    'fail',
  ])
})

test('seven clicks and a key press in one task create one payment', async () => {
  const form = payableForm(quick)
  const end = ending(form)
  for (let click = 0; click < 7; click++) press(form)
  form.requestSubmit()
  jQuery(form).trigger('submit')
  jQuery(form).mondido('submit')
  await end
  expect(stage.gateway.payments).toHaveLength(1)
})
