import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import { GONE, mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { addForm, CARD_NUMBER, press } from '../helpers/shop.ts'

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
  'invariant 2: an attempt that is %s shows no plain value anywhere',
  async ([, end]) => {
    const form = mountAtBank(bank)
    const seen: unknown[] = []
    for (const name of ['state', 'mpi-close', 'success', 'fail']) {
      form.addEventListener(`mondido:${name}`, (event) => {
        const { detail } = event as CustomEvent
        seen.push(detail, detail.cause?.message, detail.cause?.stack)
      })
    }
    press(form)
    await pass()
    await end()
    await pass()
    form.remove()
    const everything = JSON.stringify([
      seen,
      bank.posts,
      bank.requests,
      bank.windows,
      document.documentElement.outerHTML,
    ])
    expect(everything).not.toContain(CARD_NUMBER)
    expect(everything.length).toBeGreaterThan(1000)
  },
)

test.for(ENDINGS)(
  'invariant 3: an attempt that is %s restores the form, except for emptied values',
  async ([, end]) => {
    const form = addForm()
    const html = form.outerHTML
    jQuery(form).mondido({ type: 'ajax' })
    press(form)
    await pass()
    await end()
    await pass()
    jQuery(form).mondido('destroy')
    const values = / value="[^"]*"/g
    expect(form.outerHTML.replaceAll(values, '')).toBe(html.replaceAll(values, ''))
  },
)

test.for(ENDINGS)(
  'invariant 4: an attempt that is %s leaves no timer, listener, node or window',
  async ([, end]) => {
    const form = mountAtBank(bank)
    const listeners: string[] = []
    for (const target of [window, document]) {
      const { addEventListener, removeEventListener } = target
      vi.spyOn(target, 'addEventListener').mockImplementation(
        (type: string, ...rest: unknown[]) => {
          listeners.push(type)
          addEventListener.call(target, type, ...(rest as [EventListener]))
        },
      )
      vi.spyOn(target, 'removeEventListener').mockImplementation(
        (type: string, ...rest: unknown[]) => {
          listeners.splice(listeners.indexOf(type), 1)
          removeEventListener.call(target, type, ...(rest as [EventListener]))
        },
      )
    }
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

test.for(ENDINGS)(
  'invariant 5: an attempt that is %s opens one window, during its click event',
  async ([, end]) => {
    const form = mountAtBank(bank)
    press(form)
    expect(window.open).toHaveBeenCalledOnce()
    await pass()
    await end()
    await pass()
    expect(window.open).toHaveBeenCalledOnce()
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

test('invariant 7: neither the form of the bank nor the payment is sent twice', async () => {
  payAtBank(bank)
  await pass()
  bank.tell(PASSED)
  bank.tell(PASSED)
  await pass(100_000)
  expect([bank.posts.length, bank.requests.length]).toEqual([1, 1])
})

test.for(['submit', 'action', 'method', 'id', 'elements', 'target', 'length', 'name'])(
  'invariant 8: an input named %s causes no error',
  async (name) => {
    const form = mountAtBank(bank, {}, { extra: `<input name="${name}" value="x">` })
    // In browsers, a control hides a property of its form with the same name. The emulated browser
    // does not do this.
    Object.defineProperty(form, name, {
      value: form.querySelector(`[name="${name}"]`),
      configurable: true,
    })
    press(form)
    await pass()
    expect(bank.posts[0]?.fields[name]).toBe('x')
    expect(bank.posts[0]?.target).toBe(bank.windows[0]?.name)
  },
)

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
