import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import type { MondidoError } from '../../../sdk/types.ts'
import { GONE, mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { forbidByPolicy, press, thawPage } from '../helpers/shop.ts'

const bank = useBank()
const lookups = () => bank.requests.filter(({ method }) => method === 'GET')

/** Leads a payer to the bank, and lets the window appear closed. */
async function closeWindow(
  options: Parameters<typeof payAtBank>[1] = {},
): Promise<HTMLFormElement> {
  const form = payAtBank(bank, options)
  await pass()
  Object.assign(bank.windows[0] ?? {}, { closed: true })
  return form
}

test('a window that is closed is noticed, and a late message still counts', async () => {
  await closeWindow()
  await pass(250 + 1400)
  expect(bank.closed).toEqual([])
  bank.tell(PASSED)
  await pass()
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
})

test('after the window was closed the library asks the service, and an authenticated payer pays', async () => {
  await closeWindow()
  bank.status = { ...PASSED, status: 'done' }
  await pass(250 + 1500)
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  expect(bank.requests.at(-1)?.fields).toMatchObject({ ref: 'm-1', eci: '05', provider_ref: 'p-1' })
})

test('the library waits for a payer at the bank, however long it takes', async () => {
  await closeWindow()
  await pass(300_000)
  expect(bank.events).toEqual(['mpi:open popup'])
  bank.status = { ...PASSED, status: 'done' }
  await pass(1500)
  expect(bank.events.at(-1)).toBe('payment:success')
})

test('a payer who closes the window cancels the payment, and the library notifies the service', async () => {
  await closeWindow()
  bank.status = GONE
  await pass(1750 + 2 * 1500)
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close closed', 'payment:fail mpi.closed'])
  expect(bank.cancelled).toEqual([`https://pay.test/v1/mpi_js/${bank.nonce()}/cancel`])
})

test('a payer between two pages of the bank has not left the bank', async () => {
  await closeWindow()
  for (const { seconds, status } of [
    { seconds: 3, status: GONE },
    { seconds: 3, status: { ...GONE, at_bank: true } },
    { seconds: 3, status: GONE },
    { seconds: 0, status: { ...PASSED, status: 'done' } },
  ]) {
    bank.status = status
    await pass(seconds * 1000)
  }
  await pass(1500)
  expect(bank.events.at(-1)).toBe('payment:success')
})

test('a window that never reached the bank counts as closed', async () => {
  bank.status = 404
  await closeWindow()
  await pass(1750 + 2 * 1500)
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close closed', 'payment:fail mpi.closed'])
})

test('the library waits for an open window, whatever the service reports about its page', async () => {
  payAtBank(bank)
  bank.status = GONE
  await pass(300_000)
  expect(bank.events).toEqual(['mpi:open popup'])
})

test('after four seconds the library asks the service every 1.5 seconds, in case a message was lost', async () => {
  payAtBank(bank)
  await pass(3999)
  expect(lookups()).toHaveLength(0)
  await pass(1 + 2 * 1500)
  expect(lookups()).toHaveLength(3)
  bank.status = { ...PASSED, status: 'done' }
  await pass(1500)
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
})

test('a window that was closed before the form was posted is a cancellation', async () => {
  const form = mountAtBank(bank)
  let resolve = () => {}
  jQuery(form).on('payment:before', () => new Promise<void>((keep) => (resolve = keep)))
  press(form)
  Object.assign(bank.windows[0] ?? {}, { closed: true })
  resolve()
  await pass()
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close closed', 'payment:fail mpi.closed'])
  expect([bank.posts, bank.cancelled]).toEqual([[], []])
})

test('after timeouts.mpi the library asks the service for the last time', async () => {
  payAtBank(bank, { timeouts: { mpi: 3000 } })
  await pass(2999)
  const before = lookups().length
  await pass(1)
  expect(lookups()).toHaveLength(before + 1)
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close timeout', 'payment:fail mpi.timeout'])
  expect(bank.cancelled).toHaveLength(1)
})

test.for<[string, (form: HTMLFormElement) => void, string[]]>([
  ['abort()', (form) => jQuery(form).mondido('abort'), ['payment:fail network.aborted']],
  ['destroy()', (form) => jQuery(form).mondido('destroy'), []],
  ['a return to a frozen page', thawPage, []],
])('%s closes the window and notifies the service', async ([, act, last]) => {
  const form = payAtBank(bank)
  await pass()
  act(form)
  await pass()
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close aborted', ...last])
  expect(bank.windows[0]?.closed).toBe(true)
  expect(bank.cancelled).toHaveLength(1)
  const asked = lookups().length
  await pass(600_000)
  expect(bank.events).toHaveLength(2 + last.length)
  expect(lookups()).toHaveLength(asked)
})

test.for(['and says so', 'and throws, as in Firefox'])(
  'a policy that forbids the post, %s, causes the error mpi.csp',
  async (how) => {
    if (how.includes('throws')) {
      vi.mocked(HTMLFormElement.prototype.submit).mockImplementation(() => {
        throw new DOMException('Component returned failure code: 0x805d0022')
      })
    }
    payAtBank(bank)
    await pass()
    forbidByPolicy('form-action', 'https://pay.test')
    await pass()
    expect(bank.events).toEqual(['mpi:open popup', 'mpi:close blocked', 'payment:fail mpi.csp'])
  },
)

test('a handler of mpi:close can abort, and the payment ends once', async () => {
  const form = payAtBank(bank)
  jQuery(form).on('mpi:close', () => void jQuery(form).mondido('abort'))
  await pass()
  bank.tell(PASSED)
  await pass()
  expect(bank.events).toEqual([
    'mpi:open popup',
    'mpi:close completed',
    'payment:fail network.aborted',
  ])
  expect(bank.requests).toEqual([])
})

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
