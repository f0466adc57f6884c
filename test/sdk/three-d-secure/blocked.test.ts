import jQuery from 'jquery'
import { beforeEach, expect, test, vi } from 'vitest'
import { CHALLENGE, GONE, mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { forbidByPolicy, press } from '../helpers/shop.ts'

const bank = useBank()
beforeEach(() => {
  bank.isBlocking = true
})
const dialog = () => document.querySelector('dialog')
const button = (text: string) =>
  [...document.querySelectorAll('dialog button')].find((each) => each.textContent === text)
const click = (text: string) => (button(text) as HTMLElement).click()

test.for<[string, () => unknown]>([
  ['null', () => null],
  ['nothing', () => undefined],
  ['a closed window', () => ({ closed: true })],
  [
    'an error',
    () => {
      throw new Error('no')
    },
  ],
])('a browser whose window.open returns %s counts as blocking', async ([, answer]) => {
  vi.spyOn(window, 'open').mockImplementation(answer as () => null)
  payAtBank(bank)
  await pass()
  expect(bank.events).toEqual(['mpi:blocked'])
  expect(dialog()?.textContent).toContain('in a new window')
})

test('a button in a dialog opens the window', async () => {
  payAtBank(bank)
  await pass()
  bank.isBlocking = false
  click('Open the window')
  await pass()
  expect(dialog()).toBeNull()
  expect(bank.posts[0]?.target).toBe(bank.windows[0]?.name)
  bank.tell(PASSED)
  await pass()
  expect(bank.events).toEqual([
    'mpi:blocked',
    'mpi:open popup',
    'mpi:close completed',
    'payment:success',
  ])
})

test('the page can show its own button', async () => {
  const form = mountAtBank(bank)
  let retry = () => false
  jQuery(form).on('mpi:blocked', (event, detail) => {
    event.preventDefault()
    retry = detail.retry
  })
  press(form)
  await pass()
  expect(dialog()).toBeNull()
  bank.isBlocking = false
  expect(retry()).toBe(true)
  expect(retry()).toBe(true)
  await pass()
  expect([bank.windows.length, bank.posts.length]).toEqual([1, 1])
  jQuery(form).mondido('abort')
  expect(retry()).toBe(false)
})

test('after a second block, the bank is shown in a frame in a dialog', async () => {
  payAtBank(bank)
  await pass()
  click('Open the window')
  await pass()
  const frame = dialog()?.querySelector('iframe')
  expect(frame).toMatchObject({ title: '', name: bank.posts[0]?.target })
  expect([dialog()?.open, frame?.style.display]).toEqual([false, 'none'])
  await pass(500)
  expect([dialog()?.open, frame?.style.display]).toEqual([true, 'none'])
  expect(dialog()?.getAttribute('aria-label')).toBe('Paying…')
  bank.tell(CHALLENGE)
  expect(frame).toMatchObject({ title: 'Confirm the payment with your bank.', isConnected: true })
  expect([frame?.style.display, document.activeElement]).toEqual(['block', frame])
  expect(dialog()?.getAttribute('aria-label')).toBe('Confirm the payment with your bank.')
  expect(frame?.getAttribute('allow')).toBe('payment *; publickey-credentials-get *')
  bank.tell(PASSED)
  await pass()
  expect(bank.events).toEqual([
    'mpi:blocked',
    'mpi:open iframe',
    'mpi:close completed',
    'payment:success',
  ])
  expect([dialog(), document.querySelector('iframe')]).toEqual([null, null])
})

test('mpi: popup never becomes a frame', async () => {
  payAtBank(bank, { mpi: 'popup' })
  await pass()
  click('Open the window')
  await pass()
  expect(bank.events).toEqual(['mpi:blocked', 'payment:fail mpi.blocked'])
})

test('a page that is itself in a frame shows no frame', async () => {
  vi.stubGlobal('top', {})
  payAtBank(bank)
  await pass()
  click('Open the window')
  await pass()
  expect(bank.events).toEqual(['mpi:blocked', 'payment:fail mpi.blocked'])
})

test('mpi: iframe opens no window, and the page can choose its place', async () => {
  document.body.insertAdjacentHTML('beforeend', '<div id="place"></div>')
  payAtBank(bank, { mpi: 'iframe', mpiContainer: '#place', mpiSize: { width: 300, height: 400 } })
  await pass()
  expect(bank.events).toEqual(['mpi:open iframe'])
  const frame = document.querySelector<HTMLElement>('#place iframe')
  expect([frame?.style.width, frame?.style.height, dialog()]).toEqual(['300px', '400px', null])
  expect(frame?.style.display).toBe('none')
  bank.tell(CHALLENGE)
  expect([frame?.style.display, document.activeElement]).toEqual(['block', frame])
  bank.tell(PASSED)
  await pass()
  expect(document.querySelector('#place')?.childElementCount).toBe(0)
})

test.for<[string, Record<string, string>, string[], number]>([
  ['leaves for the hosted flow', { success_url: 'https://shop.test/thanks' }, [], 1],
  ['fails without an address to come back to', {}, ['payment:fail mpi.csp'], 0],
])('a page whose policy forbids the frame %s', async ([, fields, last, posts]) => {
  payAtBank(bank, { mpi: 'iframe' }, { fields })
  await pass()
  bank.posts.length = 0
  forbidByPolicy('frame-src', 'https://pay.test/v1/mpi_js')
  await pass()
  expect(bank.events).toEqual(['mpi:open iframe', 'mpi:close blocked', ...last])
  expect(bank.posts.map(({ url }) => url)).toEqual(Array(posts).fill('https://pay.test/v1/form'))
})

test.for<[string, (form: HTMLFormElement) => void]>([
  ['the button', () => click('Cancel')],
  ['the Escape key', () => dialog()?.dispatchEvent(new Event('cancel'))],
])('%s cancels, in the dialog of the blocked window', async ([, act]) => {
  const form = payAtBank(bank)
  await pass()
  act(form)
  await pass()
  expect(bank.events).toEqual(['mpi:blocked', 'payment:fail mpi.closed'])
  expect(dialog()).toBeNull()
  expect(form.textContent).toContain('The payment was cancelled. Nothing was charged.')
})

test('a panel is shown while the window is open, with buttons to show it and to cancel', async () => {
  bank.isBlocking = false
  const form = payAtBank(bank, {}, { fields: { locale: 'sv' } })
  await pass()
  bank.tell(CHALLENGE)
  await pass(499)
  expect(dialog()).toBeNull()
  await pass(1)
  expect(dialog()).toMatchObject({ lang: 'sv', open: true })
  expect(dialog()?.getAttribute('aria-label')).toBe('Bekräfta betalningen hos din bank.')
  click('Visa fönstret')
  expect(bank.windows[0]?.focus).toHaveBeenCalledOnce()
  click('Avbryt')
  await pass()
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close cancelled', 'payment:fail mpi.closed'])
  expect(bank.cancelled).toHaveLength(1)
  expect(bank.windows[0]?.closed).toBe(true)
  expect(jQuery(form).mondido('state')).toBe('fail')
})

test.for([
  ['en', 'Paying…', 'Confirm the payment with your bank.'],
  ['sv', 'Betalar…', 'Bekräfta betalningen hos din bank.'],
])(
  'page, panel and window mention the bank (%s) only if it asks the payer',
  async ([locale = '', paying, asks]) => {
    bank.isBlocking = false
    const form = payAtBank(bank, {}, { fields: { locale } })
    const said = () => [
      form.querySelector('[role=status]')?.textContent,
      dialog()?.querySelector('p')?.textContent,
    ]
    await pass(1_000)
    expect(said()).toEqual([paying, paying])
    bank.tell(CHALLENGE)
    expect(said()).toEqual([asks, asks])
  },
)

test('a frame with an immediate challenge is shown immediately', async () => {
  payAtBank(bank, { mpi: 'iframe' })
  await pass()
  bank.tell(CHALLENGE)
  expect([dialog()?.open, dialog()?.querySelector('iframe')?.style.display]).toEqual([
    true,
    'block',
  ])
})

test('showWaiting: false shows the frame only for a challenge', async () => {
  payAtBank(bank, { mpi: 'iframe', showWaiting: false })
  await pass(3_000)
  expect(dialog()?.open).toBe(false)
  bank.tell(CHALLENGE)
  expect(dialog()?.open).toBe(true)
})

test("if the bank's message is lost, its page is shown when the service reports the challenge", async () => {
  bank.status = { ...GONE, at_bank: true, challenge: false }
  payAtBank(bank, { mpi: 'iframe' })
  await pass(5_000)
  expect(dialog()?.getAttribute('aria-label')).toBe('Paying…')
  expect(dialog()?.querySelector('iframe')?.style.display).toBe('none')
  bank.status = { ...GONE, at_bank: true }
  await pass(1_500)
  expect(dialog()?.getAttribute('aria-label')).toBe('Confirm the payment with your bank.')
  expect(dialog()?.querySelector('iframe')?.style.display).toBe('block')
})

test('showWaiting: false shows no panel', async () => {
  bank.isBlocking = false
  payAtBank(bank, { showWaiting: false })
  await pass(5000)
  expect(dialog()).toBeNull()
})

test('browsers without dialogs get the panel at the end of the page', async () => {
  Object.defineProperty(HTMLDialogElement.prototype, 'showModal', {
    value: undefined,
    configurable: true,
  })
  try {
    payAtBank(bank)
    await pass()
    expect(dialog()?.hasAttribute('open')).toBe(true)
  } finally {
    Reflect.deleteProperty(HTMLDialogElement.prototype, 'showModal')
  }
})
