import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import {
  attemptPayment,
  ending,
  failPayment,
  payableForm,
  press,
  recordStates,
} from '../helpers/shop.ts'
import { useStage } from '../helpers/stage.ts'

const stage = useStage()
const settle = () => new Promise((resolve) => setTimeout(resolve))

test.for<[string, (event: JQuery.TriggeredEvent) => unknown]>([
  ['returns false', () => false],
  ['prevents the default', (event) => event.preventDefault()],
  ['returns a promise of false', () => Promise.resolve(false)],
  ['waits for a promise of false', (event) => Object(event).waitUntil(Promise.resolve(false))],
])('a payment is halted without a failure when a handler %s', async ([, handler]) => {
  const form = payableForm()
  const failed = vi.fn()
  jQuery(form).on('payment:before', handler).on('payment:fail', failed)
  const states = recordStates(form)
  press(form)
  await settle()
  expect(states).toEqual(['before', 'idle'])
  expect(failed).not.toHaveBeenCalled()
  expect(stage.gateway.payments).toEqual([])
})

test.for<[string, unknown]>([
  ['false', false],
  ['a promise of false', Promise.resolve(false)],
])(
  'a payment is halted when the first of several handlers returns %s, at the form or around it',
  async ([, result]) => {
    for (const target of ['form', 'document']) {
      const form = payableForm({}, { id: target })
      const last = vi.fn(() => Promise.resolve(true))
      const at = jQuery(target === 'form' ? form : document)
      jQuery(form).on('payment:before', () => (target === 'form' ? result : undefined))
      at.on('payment:before.test', target === 'form' ? last : () => result)
      at.on('payment:before.test', last)
      press(form)
      await settle()
      at.off('.test')
      expect(last).toHaveBeenCalled()
      expect(jQuery(form).mondido('state')).toBe('idle')
    }
    expect(stage.gateway.payments).toEqual([])
  },
)

test('the payment waits for the promises of all handlers', async () => {
  const form = payableForm()
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  for (const gate of gates) jQuery(form).on('payment:before', () => gate.promise)
  jQuery(form).on('payment:before', () => undefined)
  const end = ending(form)
  press(form)
  gates[1]?.resolve()
  await settle()
  expect(stage.gateway.payments).toEqual([])
  gates[0]?.resolve()
  await end
  expect(stage.gateway.payments).toHaveLength(1)
})

test('a rejected promise of the first handler fails the payment even if the last one agrees', async () => {
  const form = payableForm()
  jQuery(form)
    .on('payment:before', () => Promise.reject(new Error('no stock')))
    .on('payment:before', () => Promise.resolve(true))
  expect(await failPayment(form)).toMatchObject({ code: 'integration.before' })
})

test('a halted payment can be started again', async () => {
  const form = payableForm()
  jQuery(form).one('payment:before', () => false)
  press(form)
  expect(await attemptPayment(form)).toMatchObject({ transaction: { status: 'approved' } })
})

test.for<[string, (event: JQuery.TriggeredEvent, wait: Promise<unknown>) => unknown]>([
  ['returned', (_event, wait) => wait],
  ['given to waitUntil', (event, wait) => Object(event).waitUntil(wait)],
])('the payment waits for a promise %s, with the form locked', async ([, handler]) => {
  const form = payableForm()
  const gate = Promise.withResolvers<void>()
  jQuery(form).on('payment:before', (event) => handler(event, gate.promise))
  const end = ending(form)
  press(form)
  await settle()
  expect([form.getAttribute('aria-busy'), stage.gateway.payments.length]).toEqual(['true', 0])
  gate.resolve()
  await end
  expect(stage.gateway.payments).toHaveLength(1)
})

test('a native event listener can halt the payment and make it wait, without jQuery', async () => {
  const form = payableForm()
  form.addEventListener(
    'mondido:before',
    (event) => Object(event).waitUntil(Promise.resolve(false)),
    { once: true },
  )
  press(form)
  await settle()
  form.addEventListener('mondido:before', (event) => event.preventDefault(), { once: true })
  press(form)
  expect(stage.gateway.payments).toEqual([])
  expect(jQuery(form).mondido('state')).toBe('idle')
})

test.for<[string, (event: JQuery.TriggeredEvent) => unknown]>([
  ['a rejected promise', () => Promise.reject(new Error('no stock'))],
  [
    'a handler that throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['a promise that is never kept', () => new Promise(() => undefined)],
])('%s fails the payment before anything is sent', async ([, handler]) => {
  const form = payableForm({ timeouts: { before: 1 } })
  jQuery(form).on('payment:before', handler)
  expect(await failPayment(form)).toMatchObject({
    code: 'integration.before',
    outcome: 'not_sent',
    retryable: true,
  })
  expect(stage.gateway.payments).toEqual([])
  expect(form.hasAttribute('aria-busy')).toBe(false)
})

test('a handler can abort or destroy: the form stays unlocked and nothing is sent', () => {
  for (const command of ['abort', 'destroy'] as const) {
    const form = payableForm({}, { id: command })
    jQuery(form).on('payment:before', () => {
      jQuery(form).mondido(command as 'destroy')
      return Promise.resolve()
    })
    press(form)
    expect([form.hasAttribute('aria-busy'), stage.gateway.payments.length]).toEqual([false, 0])
  }
})
