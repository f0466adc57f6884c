import jQuery from 'jquery'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { MondidoOptions } from '../../sdk/types.ts'
import { PASSED, pass, useBank } from './helpers/bank.ts'
import { useBreakage, type Way } from './helpers/breakage.ts'
import { addForm, press } from './helpers/shop.ts'

/*
 * Tests that the page gets exactly one outcome, whichever function of the browser or the page
 * throws during a payment.
 */

const bank = useBank()

/** Custom element of the page, annotated for encryption. */
class Vault extends HTMLElement {
  get value(): string {
    return '200'
  }
  set value(_value) {}
}
customElements.define('shop-vault', Vault)
const breakage = useBreakage([Vault])

/** Messages on the console; the browser itself reports listeners that throw. */
const told: unknown[] = []

beforeEach(() => {
  // As in browsers, an exception of a listener does not reach the code that dispatched the event.
  const { settings } = Object(window).happyDOM
  const report = (error: unknown) => void told.push(error)
  vi.spyOn(console, 'error').mockImplementation(report)
  settings.disableErrorCapturing = false
  window.addEventListener('error', report)
  onTestFinished(() => {
    settings.disableErrorCapturing = true
    window.removeEventListener('error', report)
  })
})

/** Payment with its events on the page. */
interface Visit {
  form: HTMLFormElement
  /** Names of the final events. */
  heard: string[]
  /** Outcomes in the errors. */
  outcomes: string[]
}

/** Creates a new page with a form. */
function visit(options: MondidoOptions, transaction: object): Visit {
  for (const form of document.forms) jQuery(form).mondido('destroy')
  document.body.innerHTML = ''
  Object.assign(bank, {
    windows: [],
    posts: [],
    requests: [],
    status: { ...PASSED, status: 'done' },
    transaction,
  })
  told.length = 0
  const form = addForm({ extra: '<shop-vault data-encrypt-attribute="card_pin"></shop-vault>' })
  const heard: string[] = []
  const outcomes: string[] = []
  const hear = (kind: string, way: string) => () => void heard.push(`${kind} ${way}`)
  const ends = { success: hear('success', 'option'), error: hear('fail', 'option') }
  jQuery(form)
    .mondido({ timeouts: { statusRetry: 10 }, ...options, ...ends })
    .on('payment:success', hear('success', 'jQuery'))
    .on('payment:fail', hear('fail', 'jQuery'))
    .on('payment:fail', (_event, { outcome }) => void outcomes.push(outcome))
  for (const kind of ['success', 'fail'])
    form.addEventListener(`mondido:${kind}`, hear(kind, 'twin'))
  return { form, heard, outcomes }
}

/** Pays like a payer, up to the end of the attempt. */
async function pay({ form }: Visit): Promise<void> {
  press(form)
  await pass(1_000)
  // If the window was blocked, this button opens it.
  if (bank.windows.length === 0) document.querySelector<HTMLElement>('dialog button')?.click()
  await pass()
  if (bank.page()) bank.tell(PASSED)
  await pass(100_000)
}

/** Describes the mistakes in the end of a payment. */
function wrongWith({ form, heard, outcomes }: Visit, { use }: Way): string[] {
  const kinds = new Set(heard.map((each) => each.split(' ')[0]))
  const isPayment = ({ url }: { url: string }) => /\/(transactions|form)$/.test(url)
  const payments = [...bank.requests, ...bank.posts].filter(isPayment).length
  const state = jQuery(form).mondido('state')
  // A posted form has left the page; if it still exists, it can be sent again.
  const isLeft = state === 'idle' && bank.posts.some(isPayment)
  const wrong = {
    'nothing was heard': kinds.size === 0 && !isLeft,
    'two ends were heard': kinds.size > 1,
    'it was heard twice': heard.length > new Set(heard).size,
    'it was paid twice': payments > 1,
    'it was sent, and not_sent was said': payments > 0 && outcomes.includes('not_sent'),
    'the form is locked': !isLeft && !/^(success|fail)$/.test(state),
    'the console is silent': !SILENT.test(use) && told.length === 0,
  }
  return Object.entries(wrong).flatMap(([text, isSo]) => (isSo ? [text] : []))
}

const APPROVED = { id: 1, status: 'approved' }

const FLOWS: [string, MondidoOptions, object][] = [
  ['a payer at the bank, in a window', { type: 'ajax' }, APPROVED],
  ['a payer at the bank, in a frame', { type: 'ajax', mpi: 'iframe' }, APPROVED],
  ['a payment without 3-D Secure', { type: 'ajax', mpi: false }, APPROVED],
  ['a refusal', { type: 'ajax', mpi: false, showMessages: true }, { id: 1, status: 'declined' }],
  ['a form that is posted', { type: 'form', url: 'https://pay.test/v1/form' }, APPROVED],
]

/**
 * Functions whose failure causes no message: the console itself, and functions that browsers can
 * forbid.
 */
const SILENT = /^(console\.\w+|open)\(\)$/

const known = new Set<string>()

/** Returns true if a use or its caller is new. The same lines use the same functions many times. */
function isNew({ use, path }: Way): boolean {
  const [line, ...callers] = path.split(' < ')
  const before = known.size
  known.add(`${use} ${line}`).add(callers.join())
  return known.size > before
}

test.for(FLOWS)('the page gets the outcome if any step of %s fails', async (flow) => {
  const [, options, transaction] = flow
  const whole = visit(options, transaction)
  const ways = await breakage.waysOf(() => pay(whole))
  expect(ways.length).toBeGreaterThan(300)
  const wrong: string[] = []
  for (const way of ways.filter(isNew)) {
    const broken = visit(options, transaction)
    const isBroken = await breakage.break(way, () => pay(broken))
    const found = isBroken ? wrongWith(broken, way) : ['nothing broke']
    if (found.length) wrong.push(`${found.join(', ')}: ${way.use} in ${way.path}`)
  }
  expect(wrong).toEqual([])
})

const EVENTS = {
  'payment:before': 'before',
  'payment:state': 'state',
  'mpi:open': 'mpi-open',
  'mpi:close': 'mpi-close',
  'payment:success': 'success',
  'payment:fail': 'fail',
}

test.for(Object.entries(EVENTS))(
  'the page gets the outcome if any handler of %s fails',
  async ([name, twin]) => {
    const throws = () => {
      throw new Error('broken handler')
    }
    const handlers: Record<string, (form: HTMLFormElement) => unknown> = {
      jQuery: (form) => jQuery(form).on(name as 'payment:state', throws),
      delegated: () => jQuery(document).on(name as 'payment:state', throws),
      twin: (form) => form.addEventListener(`mondido:${twin}`, throws),
      option: (form) => jQuery(form).mondido('option', { success: throws, error: throws }),
    }
    for (const [kind, bind] of Object.entries(handlers)) {
      const broken = visit(
        { type: 'ajax' },
        name === 'payment:fail' ? { id: 1, status: 'declined' } : APPROVED,
      )
      bind(broken.form)
      await pay(broken)
      jQuery(document).off(name)
      expect([kind, ...wrongWith(broken, { use: kind, path: '', before: 0 })]).toEqual([kind])
    }
  },
)
