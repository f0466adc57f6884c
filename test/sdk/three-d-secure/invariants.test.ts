import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import { GONE, mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { press, recordListeners } from '../helpers/shop.ts'

const bank = useBank()

/** Possible ends of an attempt after its window opened, with the reason in `mpi:close`. */
const ENDINGS: [string, () => unknown, string, string][] = [
  ['passed', () => bank.tell(PASSED), 'completed', 'payment:success'],
  [
    'refused',
    () => bank.tell({ event: 'mpi', success: false }),
    'completed',
    'payment:fail mpi.failed',
  ],
  [
    'closed',
    async () => {
      Object.assign(bank.windows[0] ?? {}, { closed: true })
      bank.status = GONE
      await pass(7_000)
    },
    'closed',
    'payment:fail mpi.closed',
  ],
  [
    'cancelled',
    async () => {
      await pass(600)
      document.querySelector<HTMLElement>('dialog button:last-of-type')?.click()
    },
    'cancelled',
    'payment:fail mpi.closed',
  ],
  ['left alone', () => pass(600_000), 'timeout', 'payment:fail mpi.timeout'],
  ['aborted', () => jQuery('form').mondido('abort'), 'aborted', 'payment:fail network.aborted'],
]

test.for(ENDINGS)(
  'invariant 1: an attempt that is %s ends once, after its window',
  async ([, end, reason, last]) => {
    payAtBank(bank)
    await pass()
    await end()
    await pass()
    bank.tell(PASSED)
    await pass(700_000)
    expect(bank.events).toEqual(['mpi:open popup', `mpi:close ${reason}`, last])
  },
)

test.for(ENDINGS)(
  'invariant 4: an attempt that is %s leaves no timer, listener, node or window',
  async ([, end]) => {
    const form = mountAtBank(bank)
    const listeners = recordListeners()
    const timers = vi.getTimerCount()
    const nodes = new Set(document.querySelectorAll('*'))
    press(form)
    await pass()
    expect(listeners).toContain('message')
    await end()
    await pass()
    expect(listeners).toEqual([])
    expect(vi.getTimerCount()).toBe(timers)
    expect([...document.querySelectorAll('*')].filter((node) => !nodes.has(node))).toEqual([])
    expect(bank.windows.every(({ closed }) => closed)).toBe(true)
  },
)

test('invariant 5: a blocked window is opened again only with a new click, once for each', async () => {
  bank.isBlocking = true
  payAtBank(bank)
  await pass(5000)
  expect(window.open).toHaveBeenCalledOnce()
  document.querySelector<HTMLElement>('dialog button')?.click()
  await pass(5000)
  expect(window.open).toHaveBeenCalledTimes(2)
})

test('invariant 9: two forms are at the bank at the same time, each in its own window', async () => {
  const forms = ['first', 'second'].map((id) =>
    payAtBank(bank, {}, { id, fields: { payment_ref: id } }),
  )
  await pass()
  const [first, second] = bank.posts.map(({ fields }) => fields)
  expect(bank.windows).toHaveLength(2)
  bank.tell({ event: 'mpi', success: false, nonce: second?.mpi_nonce }, { source: bank.windows[0] })
  expect(bank.closed).toEqual([])
  bank.tell({ event: 'mpi', success: false, nonce: second?.mpi_nonce }, { source: bank.windows[1] })
  bank.tell({ ...PASSED, nonce: first?.mpi_nonce }, { source: bank.windows[0] })
  await pass()
  expect(forms.map((form) => jQuery(form).mondido('state'))).toEqual(['success', 'fail'])
  expect(bank.requests.map(({ fields }) => fields.payment_ref)).toEqual(['first'])
})
