import jQuery from 'jquery'
import { expect, test, vi } from 'vitest'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { TEST_PUBLIC_KEY } from '../../helpers/keys.ts'
import { mountAtBank, PASSED, pass, payAtBank, useBank } from '../helpers/bank.ts'
import { CARD_NUMBER, press } from '../helpers/shop.ts'

const bank = useBank()

test("a payment opens the bank in a window first, and is then sent with the bank's answer", async () => {
  payAtBank(bank)
  expect(bank.windows).toHaveLength(1)
  expect(bank.windows[0]?.name).toMatch(/^mpiwindow[0-9a-f]{32}-500x600$/)
  expect(bank.windows[0]?.features).toMatch(/^popup,width=360,height=200,/)
  await pass()
  expect(bank.requests).toEqual([])
  expect(bank.posts).toMatchObject([
    { url: 'https://pay.test/v1/mpi_js', target: bank.windows[0]?.name },
  ])
  const sent = bank.posts[0]?.fields ?? {}
  expect(sent).toMatchObject({ merchant_id: '1', encrypted: 'card_number,card_cvv,card_expiry' })
  expect(sent.mpi_nonce).toMatch(/^[0-9a-f]{32}$/)
  bank.tell(JSON.stringify({ ...PASSED, nonce: bank.nonce() }))
  await pass()
  const { mpi_nonce, ...fields } = sent
  expect(bank.requests).toMatchObject([
    {
      method: 'POST',
      url: 'https://api.test/v1/transactions',
      fields: { ...fields, ref: 'm-1', eci: '05', provider_ref: 'p-1' },
    },
  ])
  expect(bank.events).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  expect(bank.windows[0]?.closed).toBe(true)
  expect(bank.cancelled).toEqual([])
})

test.each([
  [{ screenX: 100, screenY: 40, outerWidth: 1_200, outerHeight: 900 }, 'left=520,top=390'],
  [{ screenX: -900, screenY: -400, outerWidth: 400, outerHeight: 500 }, 'left=0,top=0'],
])("the window is in the middle of the page's own, and on the screen: %o", (place, stands) => {
  for (const [name, value] of Object.entries(place)) vi.stubGlobal(name, value)
  payAtBank(bank)
  expect(bank.windows[0]?.features).toBe(`popup,width=360,height=200,${stands}`)
})

test('the window is opened during the click event, also if payment:before returns a promise', async () => {
  const form = mountAtBank(bank)
  let resolve = (_value: unknown) => {}
  jQuery(form).on('payment:before', () => new Promise((keep) => (resolve = keep)))
  press(form)
  expect([bank.windows.length, bank.posts.length]).toEqual([1, 0])
  expect(bank.windows[0]?.document.body.textContent).toBe('Paying…')
  await pass(1000)
  resolve(true)
  await pass()
  expect([bank.windows.length, bank.posts.length]).toEqual([1, 1])
})

test.for<[string, (form: HTMLFormElement) => void, string[]]>([
  ['returns false immediately', (form) => jQuery(form).on('payment:before', () => false), []],
  [
    'returns false later',
    (form) => jQuery(form).on('payment:before', () => Promise.resolve(false)),
    ['mpi:open popup', 'mpi:close cancelled'],
  ],
  [
    'fails later',
    (form) => jQuery(form).on('payment:before', () => Promise.reject(new Error('no'))),
    ['mpi:open popup', 'mpi:close aborted', 'payment:fail integration.before'],
  ],
])('if payment:before %s no window stays open', async ([, arrange, events]) => {
  const form = mountAtBank(bank)
  arrange(form)
  press(form)
  await pass()
  expect(bank.events).toEqual(events)
  expect(bank.windows.every(({ closed }) => closed)).toBe(true)
  expect([bank.posts, bank.cancelled]).toEqual([[], []])
})

test('a form with mistakes opens no window', () => {
  payAtBank(bank, { validate: 'card' }, { card: { card_number: '4' } })
  expect(bank.events).toEqual(['payment:fail validation.card_number'])
})

test.for<[string, Parameters<typeof payAtBank>[1], Parameters<typeof payAtBank>[2]]>([
  ['mpi: false', { mpi: false }, {}],
  ['a payment that is only prepared', {}, { fields: { process: 'false' } }],
  ['mpiOpen: lazy', { mpiOpen: 'lazy' }, {}],
])('a payment with %s contacts no bank', async ([, options, form]) => {
  payAtBank(bank, options, form)
  await pass()
  expect(bank.events).toEqual(['payment:success'])
  expect(bank.posts).toEqual([])
})

test('a merchant without 3-D Secure contacts no bank, until the page names an address', async () => {
  jQuery.mondido.configure({ ...Object(servedWithout()) })
  payAtBank(bank)
  await pass()
  expect(bank.events).toEqual(['payment:success'])
  payAtBank(bank, { mpiUrl: '/bank' }, { id: 'other' })
  await pass()
  expect(bank.posts).toMatchObject([{ url: 'http://localhost:3000/bank' }])
})

const servedWithout = () => ({
  merchantId: '1',
  publicKey: TEST_PUBLIC_KEY,
  apiUrl: 'https://api.test',
  payUrl: 'https://pay.test',
  cdnUrl: 'https://cdn.test',
})

test('an invalid address stops the payment', async () => {
  payAtBank(bank, { mpiUrl: 'javascript:alert(1)' })
  await pass()
  expect(bank.events).toEqual(['payment:fail config.url_invalid'])
})

test('mpi: redirect leaves the page for the hosted flow', async () => {
  payAtBank(bank, { mpi: 'redirect' })
  await pass()
  expect(bank.windows).toEqual([])
  expect(bank.posts).toMatchObject([{ url: 'https://pay.test/v1/form', target: '' }])
  expect(bank.requests).toEqual([])
})

test('a submit while the payer is at the bank, or focusWindow, brings the window forward', async () => {
  const form = payAtBank(bank)
  await pass()
  press(form)
  expect(bank.windows).toHaveLength(1)
  expect(bank.windows[0]?.focus).toHaveBeenCalledTimes(1)
  expect(jQuery(form).mondido('instance')?.focusWindow()).toBe(true)
  jQuery(form).mondido('focusWindow')
  expect(bank.windows[0]?.focus).toHaveBeenCalledTimes(3)
  jQuery(form).mondido('abort')
  expect(jQuery(form).mondido('instance')?.focusWindow()).toBe(false)
})

test('the native events have the same data, and no card number', async () => {
  const form = mountAtBank(bank)
  const told: unknown[] = []
  for (const name of ['open', 'close']) {
    form.addEventListener(`mondido:mpi-${name}`, (event) =>
      told.push((event as CustomEvent).detail),
    )
  }
  press(form)
  await pass()
  bank.tell(PASSED)
  const { attempt } = Object(jQuery(form).mondido('instance'))
  expect(told).toEqual([
    { attempt, mode: 'popup', window: bank.windows[0] },
    { attempt, reason: 'completed' },
  ])
  expect(JSON.stringify(bank.posts)).not.toContain(CARD_NUMBER)
})

test('a challenge that the service itself requires is shown in a window, until the payment is settled', async () => {
  const href = 'https://pay.test/v1/form/token'
  bank.transaction = { id: 1, status: '3ds pending', href }
  const form = payAtBank(bank, { mpiOpen: 'lazy', timeouts: { statusRetry: 1 } })
  await pass(10)
  // The click was long ago, so only a new click can open a window.
  expect(bank.events).toEqual(['mpi:blocked'])
  document.querySelector<HTMLButtonElement>('dialog button')?.click()
  await pass()
  expect(bank.windows[0]?.location.href).toBe(href)
  expect(bank.windows[0]?.features).toMatch(/^popup,width=500,height=600,/)
  expect(bank.windows[0]?.document.body.textContent).toBe('Confirm the payment with your bank.')
  expect(document.querySelector('[role=status]')?.textContent).toBe(
    'Confirm the payment with your bank.',
  )
  await pass(3000)
  expect(jQuery(form).mondido('state')).toBe('mpi')
  bank.transaction = { id: 1, status: 'approved' }
  await pass(5000)
  expect(bank.events).toEqual([
    'mpi:blocked',
    'mpi:open popup',
    'mpi:close completed',
    'payment:success',
  ])
  expect(bank.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('a payer who does not answer in that window has a pending transaction', async () => {
  bank.transaction = { id: 1, status: '3ds pending', href: 'https://pay.test/v1/form/token' }
  const failed = vi.fn()
  const form = mountAtBank(bank, { mpiOpen: 'lazy' })
  form.addEventListener('mondido:fail', ({ detail }) => failed(detail.outcome))
  press(form)
  await pass(10)
  document.querySelector<HTMLButtonElement>('dialog button:last-of-type')?.click()
  await pass()
  expect(failed).toHaveBeenCalledWith('pending')
})

const ABORTED = 'payment:fail network.aborted'
const CASES: [string, string, MondidoOptions, string[]][] = [
  ['the first payment:state', 'payment:state', {}, [ABORTED]],
  ['payment:before, with a promise', 'payment:before', {}, [ABORTED]],
  ['mpi:open of a window', 'mpi:open', {}, ['mpi:open popup', 'mpi:close aborted', ABORTED]],
  [
    'mpi:open of a frame',
    'mpi:open',
    { mpi: 'iframe' },
    ['mpi:open iframe', 'mpi:close aborted', ABORTED],
  ],
]

test('after abort in payment:state of mpi no window is opened', async () => {
  const form = mountAtBank(bank)
  jQuery(form).on(
    'payment:state',
    (_event, { to }) => to === 'mpi' && void jQuery(form).mondido('abort'),
  )
  press(form)
  await pass()
  expect([bank.events, bank.windows]).toEqual([[ABORTED], []])
})

test.for(CASES)(
  'after abort in %s no further window, dialog or request follows',
  async ([, event, options, events]) => {
    const form = mountAtBank(bank, options)
    const late: string[] = []
    jQuery(form).on('payment:before', () => void late.push(...bank.events))
    jQuery(form).on(event as 'payment:before', () => {
      jQuery(form).off(event).mondido('abort')
      return Promise.resolve()
    })
    press(form)
    await pass(600)
    expect(bank.events).toEqual(events)
    expect([late, bank.posts, bank.requests, document.querySelector('dialog, iframe')]).toEqual([
      [],
      [],
      [],
      null,
    ])
    expect(bank.windows.filter(({ closed }) => !closed)).toEqual([])
  },
)

test('destroy in mpi:close leaves the form as it was', async () => {
  const form = mountAtBank(bank)
  jQuery(form).on('mpi:close', () => void jQuery(form).mondido('destroy'))
  press(form)
  await pass()
  jQuery(form).mondido('abort')
  expect(form.hasAttribute('data-mondido-state')).toBe(false)
})

test('retry in mpi:blocked shows no dialog to the payer', async () => {
  const form = mountAtBank(bank)
  bank.isBlocking = true
  jQuery(form).on('mpi:blocked', (_event, { retry }) => {
    bank.isBlocking = false
    retry()
  })
  press(form)
  await pass(100)
  expect(bank.events).toEqual(['mpi:blocked', 'mpi:open popup'])
  expect(document.querySelector('dialog')).toBeNull()
})

test('no window is opened while payment:before waits, if the payer goes to the bank in the page', async () => {
  const form = mountAtBank(bank, { mpi: 'redirect' })
  jQuery(form).on('payment:before', () => Promise.resolve())
  press(form)
  await pass()
  expect([bank.events, bank.windows, bank.posts.length]).toEqual([[], [], 1])
})
