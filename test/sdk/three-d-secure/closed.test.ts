import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import { GONE, mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { press } from '../helpers/shop.ts'

const bank = useBank()
const lookups = () => bank.requests.filter(({ method }) => method === 'GET')
const _REFUSED = { event: 'mpi', success: false, error: 'errors.mpi.not_approved' }

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
  [
    'a return to a frozen page',
    () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
    [],
  ],
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
    const violation = {
      disposition: 'enforce',
      effectiveDirective: 'form-action',
      blockedURI: 'https://pay.test',
    }
    document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation))
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
