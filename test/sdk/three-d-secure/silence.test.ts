import jQuery from 'jquery'
import { expect, test } from 'vitest'
import type { MondidoError } from '../../../sdk/types.ts'
import { GONE, mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { press } from '../helpers/shop.ts'

/*
 * Tests of the time at the bank without the service: the payer must not wait ten minutes for an
 * answer that cannot arrive.
 */

const bank = useBank()
const ENDED = ['mpi:open popup', 'mpi:close timeout', 'payment:fail mpi.unreachable']
const waiting = () => document.querySelector('dialog')
const buttons = () =>
  [...(waiting()?.querySelectorAll('button') ?? [])].map(({ textContent }) => textContent)

test.for<[string, number | object]>([
  ['cannot be reached', 0],
  ['answers 503', 503],
  ['does not know the authentication, as when its entry failed', 404],
  ['is not what answers', { hello: 'proxy' }],
])('a service that %s ends the payment within ten seconds', async ([, status]) => {
  bank.status = status
  const form = mountAtBank(bank)
  const failed = new Promise<MondidoError>((resolve) =>
    jQuery(form).on('payment:fail', (_event, error) => resolve(error)),
  )
  press(form)
  await pass(10_000)
  expect(bank.events).toEqual(ENDED)
  expect(await failed).toMatchObject({ category: 'mpi', outcome: 'not_sent', retryable: true })
  expect([
    bank.windows[0]?.closed,
    waiting(),
    bank.requests.some(({ method }) => method === 'POST'),
  ]).toEqual([true, null, false])
})

test('a service that is killed while the payer is at the bank ends it within ten seconds', async () => {
  payAtBank(bank)
  await pass(60_000)
  expect(bank.events).toEqual(['mpi:open popup'])
  bank.status = 0
  await pass(10_000)
  expect(bank.events).toEqual(ENDED)
})

test('a service that does not answer for a moment does not end the payment', async () => {
  payAtBank(bank)
  for (const [seconds, status] of [
    [9, { ...GONE, at_bank: true }],
    [4, 503],
    [2, { ...GONE, at_bank: true }],
    [4, 0],
  ] as const) {
    bank.status = status
    await pass(seconds * 1000)
  }
  bank.status = { ...PASSED, status: 'done' }
  await pass(1500)
  expect(bank.events.at(-1)).toBe('payment:success')
})

test('a silent service ends the payment in the frame too', async () => {
  bank.status = 0
  payAtBank(bank, { mpi: 'iframe' })
  await pass(10_000)
  expect(bank.events).toEqual(['mpi:open iframe', ...ENDED.slice(1)])
  expect(waiting()).toBeNull()
})

test('a frame that the browser leaves empty ends the payment within ten seconds', async () => {
  bank.status = GONE
  payAtBank(bank, { mpi: 'iframe' })
  await pass(10_000)
  expect(bank.events.at(-1)).toBe('payment:fail mpi.blocked')
  expect(waiting()).toBeNull()
})

test('the panel has a button to show the window while it is open', async () => {
  payAtBank(bank)
  await pass(600)
  expect(buttons()).toEqual(['Show the window', 'Cancel'])
  Object.assign(bank.windows[0] ?? {}, { closed: true })
  await pass(300)
  expect(buttons()).toEqual(['Cancel'])
  expect(bank.events).toEqual(['mpi:open popup'])
})

test('the panel of a payment that is pending at its page has a button to show the window, and a stopped service is reported to the page', async () => {
  bank.transaction = { id: 1, status: '3ds pending', href: 'https://pay.test/1' }
  bank.isBlocking = true
  payAtBank(bank, { mpiOpen: 'lazy' })
  await pass()
  bank.isBlocking = false
  document.querySelector<HTMLElement>('dialog button')?.click()
  await pass(600)
  expect(buttons()).toEqual(['Show the window', 'Cancel'])
  Object.assign(bank.windows[0] ?? {}, { closed: true })
  await pass(300)
  expect(buttons()).toEqual(['Cancel'])
  bank.transaction = { id: 1 }
  await pass(10_000)
  expect(bank.events.slice(-2)).toEqual(['mpi:close timeout', 'payment:fail api.pending'])
})
