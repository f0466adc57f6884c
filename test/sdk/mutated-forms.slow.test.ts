import { inspect } from 'node:util'
import fc from 'fast-check'
import jQuery from 'jquery'
import { test, vi } from 'vitest'
import { hostileValue } from '../gateway/abuse/fuzz-values.ts'
import { TEST_PUBLIC_KEY } from '../helpers/keys.ts'
import { ANSWERS } from './helpers/answers.ts'
import { mountAtBank, PASSED, pass, useBank } from './helpers/bank.ts'
import { CARD_NUMBER, press } from './helpers/shop.ts'

/** Number of forms. `npm run lab -- abuse` tries more forms. */
const SESSIONS = Number(process.env.TEST_REQUESTS ?? 60)
const SEED = Number(process.env.TEST_SEED ?? 20260314)

const bank = useBank()

const text = hostileValue.map((value) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed(),
)

/** Valid values of options. */
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  type: ['ajax', 'form'],
  url: ['https://api.test/pay', 'http://elsewhere.test/', '/pay', '', 'javascript:0'],
  merchantId: ['1', '2'],
  merchant_id: ['1'],
  publicKey: [TEST_PUBLIC_KEY, TEST_PUBLIC_KEY.slice(0, 90)],
  public_key: [TEST_PUBLIC_KEY],
  attributes: [['data-x'], [], ['data-encrypt-attribute']],
  ignore: ['[name=amount]', 'input', '['],
  mpi: ['auto', 'popup', 'iframe', 'redirect', false],
  mpiOpen: ['eager', 'lazy'],
  mpiUrl: ['https://pay.test/v1/mpi_js', 'mpi', ''],
  mpiOrigins: [['https://pay.test'], ['*'], []],
  mpiSize: [
    { width: 100, height: 100 },
    { width: -1, height: 0 },
  ],
  mpiContainer: ['body', '#pay', 'main'],
  timeouts: [{ before: 10, request: 10, mpi: 100 }, { statusRetry: 1 }, { request: -1 }],
  validate: [
    false,
    'native',
    'card',
    () => [{ field: 'x', code: 'y', message: 'z' }],
    () => undefined,
  ],
  format: [true, false],
  lockButtons: [true, false],
  busyClass: ['busy', 'two words', ''],
  announce: [true, false],
  showMessages: [true, false],
  showWaiting: [true, false],
  clearOnSuccess: [true, false],
  locale: ['sv', 'en', 'da', 'xx'],
  messages: [{ 'network.offline': 'No net' }, { x: 'y' }],
  delegate: ['form', '[', '.none'],
  success: [() => {}],
  error: [() => {}],
  debug: [true, false],
}

const options = fc.record(
  Object.fromEntries(
    Object.entries(RIGHT).map(([name, right]) => [
      name,
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...right) },
        { weight: 1, arbitrary: hostileValue },
      ),
    ]),
  ),
  { requiredKeys: [] },
)

const EXTRAS = [
  '<input name="encrypted" value="x">',
  '<input name="card_number" value="">',
  '<input name="payment_method" value="invoice">',
  '<input name="metadata" value="{">',
  '<input type="file" name="file">',
  '<input data-encrypt-attribute="" value="1">',
  '<input data-encrypt-attribute="card_cvv" value="200">',
  '<input type="checkbox" name="store_card" value="true" checked>',
  '<input type="number" name="asked" required>',
  '<input name="action" value="https://elsewhere.test/"><input name="submit"><input name="elements">',
  '<select name="locale"><option value="sv" selected>sv</option></select>',
  '<select data-encrypt-attribute="card_expiry_month"><option selected>12</option></select>',
  '<textarea name="note">a\nb</textarea>',
  '<button name="which" value="other" disabled>Other</button>',
  '<fieldset disabled><input name="lost" value="1"></fieldset>',
]
const escaped = text.map((value) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
)
const sometimes = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), escaped, { maxKeys: 2, noNullPrototype: true })

const answer = fc.oneof(
  fc.constantFrom<unknown>(...ANSWERS),
  fc.constantFrom<object>({ id: 1, status: 'approved' }, PASSED, {
    event: 'mpi',
    success: false,
    status: 'failed',
  }),
  fc.dictionary(
    fc.constantFrom('id', 'status', 'href', 'error', 'name', 'code', 'state', 'event', 'success'),
    hostileValue,
    { noNullPrototype: true },
  ),
)

const act = fc.oneof(
  fc.constantFrom(
    'press',
    'submit',
    'press again',
    'abort',
    'destroy',
    'close window',
    'block',
    'reset',
    'focus',
  ),
  fc.constantFrom(1, 300, 2_000, 61_000, 700_000),
  fc.tuple(fc.constant('tell'), fc.oneof(answer, text)),
  fc.tuple(fc.constant('option'), options),
  fc.tuple(fc.constant('encrypt'), text),
)

const sessions = fc.record({
  options,
  fields: sometimes([
    'merchant_id',
    'amount',
    'currency',
    'payment_ref',
    'test',
    'hash',
    'locale',
    'url',
  ]),
  card: sometimes(['card_cvv', 'card_expiry', 'card_expiry_month', 'card_holder', 'card_type']),
  attributes: sometimes([
    'action',
    'method',
    'target',
    'novalidate',
    'data-mondido-type',
    'data-mondido-mpi',
    'lang',
  ]),
  extra: fc.subarray(EXTRAS, { maxLength: 3 }),
  transaction: answer,
  status: answer,
  acts: fc.array(act, { maxLength: 8 }),
})

type FormSession = typeof sessions extends fc.Arbitrary<infer Drawn> ? Drawn : never

/**
 * Returns true for errors that an entry point may throw: an error with a code, or the browser's
 * error for an invalid selector.
 */
function isTold(error: unknown): boolean {
  const { message, code } = Object(error)
  return (
    /selector/.test(message) || /^(?:form|field|config|crypto|integration)\.\w+$/.test(String(code))
  )
}

/** Records the library's messages on the console. */
const printed = () => (['warn', 'error'] as const).map((name) => vi.spyOn(console, name))

/**
 * Runs a session of a form.
 * @returns the broken rules
 */
async function runSession({
  options: given,
  fields,
  card,
  attributes,
  extra,
  ...session
}: FormSession): Promise<readonly string[]> {
  const problems: string[] = []
  const guarded = (name: string, does: () => unknown) => {
    try {
      does()
    } catch (error) {
      if (!isTold(error)) problems.push(`${name} threw ${(error as Error).stack}`)
    }
  }
  document.body.innerHTML = ''
  Object.assign(bank, {
    transaction: session.transaction,
    status: session.status,
    isBlocking: false,
  })
  const inTag = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  const form = mountAtBank(
    bank,
    {},
    { fields, card, extra: extra.join(''), attributes: inTag.join(' ') },
  )
  let ends = 0
  let pressed = 0
  const $form = jQuery(form)
  $form.on(
    'payment:success payment:fail',
    (_event, detail: { code?: unknown; cause?: unknown } = {}) => {
      ends += 1
      if (detail.code === 'internal') problems.push(inspect(detail.cause))
    },
  )
  guarded('mount', () => $form.mondido(given as never))
  const acts: Readonly<Record<string, (value?: unknown) => unknown>> = {
    press: () => press(form),
    'press again': () => press(form),
    submit: () => $form.mondido('submit'),
    abort: () => $form.mondido('abort'),
    destroy: () => $form.mondido('destroy'),
    'close window': () => Object.assign(bank.windows.at(-1) ?? {}, { closed: true }),
    block: () => Object.assign(bank, { isBlocking: true }),
    reset: () => form.reset(),
    focus: () => $form.mondido('focusWindow' as 'abort'),
    tell: (message) =>
      bank.tell(typeof message === 'number' ? String(message) : (message as object)),
    option: (value) => $form.mondido('option' as never, value as never),
    encrypt: (value) => {
      const some = String(value)
      const { card: of, encrypt } = jQuery.mondido
      of.brand(some)
      of.luhn(some)
      of.expiry(some, some)
      encrypt(some)
    },
  }
  for (const each of ['press', ...session.acts]) {
    if (typeof each === 'number') await pass(each)
    else {
      const [name, value] = typeof each === 'string' ? [each] : (each as [string, unknown])
      if (/press|submit/.test(name)) pressed += 1
      guarded(name, () => acts[name]?.(value))
      await pass()
    }
  }
  await pass(2_000_000)
  if (ends > pressed) problems.push(`${ends} ends of ${pressed} presses`)
  const state = form.dataset.mondidoState
  if (/before|encrypting|mpi|sending/.test(state ?? '') && bank.posts.length === 0)
    problems.push(`it stays ${state}`)
  const said = JSON.stringify([
    bank.requests,
    bank.posts,
    ...printed().map(({ mock }) => mock.calls),
  ])
  if (said.includes(CARD_NUMBER)) problems.push(`the card number is shown: ${said.slice(0, 2_000)}`)
  $form.mondido('destroy')
  return problems
}

test(`${SESSIONS} forms with mutated settings, mark-up, answers and actions behave as specified (seed ${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  for (const session of fc.sample(sessions, { numRuns: SESSIONS, seed: SEED })) {
    const problems = await runSession(session)
    if (problems.length > 0)
      throw new Error(`${problems.join('\n')}\nof ${inspect(session, { depth: 6 })}`)
    Object.assign(bank, { requests: [], posts: [], windows: [] })
    for (const each of printed()) each.mockClear()
  }
})
