import { QUESTION_KINDS } from '../../../mock-gateway/domain/card/bank-questions.ts'
import { TEST_CARDS } from '../../../mock-gateway/domain/card/test-cards.ts'
import { callsOf } from '../../../mock-gateway/web/docs/contract.ts'
import { styleAddress } from '../../helpers/assets.ts'
import { checkAnswer, readContract } from '../../helpers/contract.ts'
import { checkControlAnswer, readControlContract } from '../../helpers/control-contract.ts'
import { authorizationOf, clientAt, MERCHANT, TEMPLATES } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { logIn } from './console-places.ts'
import { drawsBy } from './corpus.ts'
import { type Drawer, drawers, type Known, type Request, requestedCalls } from './fuzz-requests.ts'
import { type Json, mutateDeep } from './fuzz-values.ts'
import { openHooks } from './hooks.ts'
import { type AtBank, createTestData, newPayersAtBank, type TestData } from './test-data.ts'
import { PAYERS, typedBy } from './typed.ts'
import { variedSettings } from './varied-settings.ts'
import { Ways } from './ways.ts'

/** Logins and objects of the gateway that requests are sent to. */
export interface Ground extends Known {
  /** Header line of each login. */
  readonly logins: Readonly<Record<Request['login'], string | undefined>>
}

/** Part of a gateway that requests are sent to. */
export interface FuzzTarget {
  /** Flags of the gateway's command line. */
  readonly flags: readonly string[]
  /**
   * Requests that contain these bytes must never fail. Other requests can fail because of an
   * injected fault.
   */
  readonly safe: string
  /**
   * Validates an answer against its OpenAPI document.
   * @throws Error that names the contradiction
   */
  readonly check: typeof checkAnswer
  /** Creates rows of every kind at a gateway. */
  begin(url: string): Promise<Ground>
  drawers(ground: Ground): readonly Drawer[]
  /** Collected links and forms. Undefined: links are not followed. */
  readonly ways?: Ways | undefined
}

const KEY = 'a-key-of-our-own'

export const OTHER = {
  id: 2,
  password: 'other password',
  secret: 'other secret',
  private_key: OTHER_PRIVATE_KEY,
}

/**
 * First merchant. Its password is not the public default password, because administrators can set
 * that one.
 */
const OWN = { ...MERCHANT, password: 'a password of its own' }

const ADMINISTRATOR = `Basic ${btoa(`admin:${KEY}`)}`

/** The header line with the login of the own merchant, or of another. */
export const LOGINS: Ground['logins'] = {
  own: `Authorization: ${authorizationOf(MERCHANT)}`,
  other: `Authorization: ${authorizationOf(OTHER)}`,
  broken: 'Authorization: Basic \u00ff:',
  none: undefined,
  key: undefined,
}

async function newRows(url: string, merchant = MERCHANT): Promise<Ground> {
  const shop = clientAt(url, merchant)
  const [own, other] = [await createTestData(shop), await createTestData(clientAt(url, OTHER))]
  return {
    ...knownOf(own, other, await styleAddress(shop), await newPayersAtBank(shop, MERCHANT.id)),
    logins: LOGINS,
  }
}

const BELOW = '/_control'

let begun = 0

/**
 * Creates the target for requests of merchants' servers, payers and the bank, derived from the
 * contract only.
 */
const contract = (): FuzzTarget => ({
  flags: [],
  safe: '',
  check: checkAnswer,
  begin: (url) => newRows(url),
  drawers: (ground) => drawers(readContract(), requestedCalls(readContract()), ground),
})

/** Paths of control API calls that affect payments: forced outcomes, links, templates, webhooks. */
const BESIDE =
  /^\/(?:clock\/(?:freeze|resume)|payments|payment-links|captures|3ds|templates|webhooks|mails|stories)(?:\/|$)/

/** Days by which the clock is moved before rows are created; the first entry deletes everything. */
const DAYS = [undefined, 0, 1, 8, 40]

const typed = () => typedBy([readContract(), readControlContract()])

/**
 * Creates the target for the same requests, with a merchant whose settings and forced outcomes
 * change, and for every page and form that answers lead to.
 */
const api = (): FuzzTarget => {
  let dataSets = 0
  let hooks: readonly string[] = []
  let ways: Ways | undefined
  return {
    flags: ['--control-key', KEY, '--templates', TEMPLATES],
    safe: '',
    check: (method, address, ...answer) =>
      address.startsWith(`${BELOW}/`)
        ? checkControlAnswer(method, address.replace(BELOW, ''), ...answer)
        : checkAnswer(method, address, ...answer),
    get ways() {
      return ways
    },
    async begin(url) {
      const days = DAYS[dataSets % DAYS.length]
      await (days === undefined
        ? reset(url)
        : order(url, 'POST', '/clock/advance', { days, force: true }))
      if (hooks.length === 0) hooks = await openHooks()
      ways ??= new Ways(url, /^\/console/, typed())
      await restore(url, MERCHANT.id)
      // A forced outcome, or a clock in a far year, can prevent new rows.
      const ground = await newRows(url).catch(() => reset(url).then(() => newRows(url)))
      await order(url, 'PUT', `/merchants/${MERCHANT.id}`, {
        settings: variedSettings(dataSets++, hooks),
      })
      return {
        ...ground,
        others: listFurtherValues(hooks),
        ids: { ...ground.ids, ...idsOfControl() },
        logins: { ...ground.logins, key: `Authorization: ${ADMINISTRATOR}` },
      }
    },
    drawers(ground) {
      const first = {
        operation: '',
        method: 'GET',
        address: '/',
        body: null,
        type: '',
        login: 'none',
      } as const
      const pages =
        ways?.take(first, '<html><a href="/"><a href="/docs"><a href="/metrics">', null).fresh ?? []
      const beside = controlDrawers(ground, BESIDE).map((drawer) => ({
        ...drawer,
        write: (draft: object, known: Known) => asAdministrator(drawer.write(draft, known)),
      }))
      return [
        ...drawers(readContract(), requestedCalls(readContract()), ground),
        ...beside,
        ...pages,
      ]
    },
  }
}

const asAdministrator = (request: Request): Request =>
  request.login === 'own' ? { ...request, login: 'key' } : request

/** Returns further values to send for a parameter; the fuzzer also sends values of stored rows. */
const listFurtherValues = (
  hooks: readonly string[],
): Readonly<Record<string, readonly Json[]>> => ({
  card_number: ['4111111111111111', '4111111111111111', ...TEST_CARDS.keys(), ...names()],
  card_cvv: ['200', '200', '201', '202', '203', '204', '205'],
  card_expiry: ['1240'],
  template_id: [1, 3, 5, ...LATER],
  webhook: hooks.flatMap((url) =>
    ['payment', 'before_payment'].map((trigger) =>
      JSON.stringify({ trigger, url, data_format: 'xml' }),
    ),
  ),
  payment_details: PAYERS.map((payer) => JSON.stringify(payer)),
  payment_method: ['invoice', 'swish', 'paypal', 'bank', 'credit_card'],
  ref: names(),
  provider_ref: names(),
  mondido_attempt: names(),
  stored_card: names(),
  metadata: INSTRUCTIONS.map((service_instructions) =>
    JSON.stringify({ service_instructions, plans: [1, 2] }),
  ),
})

/** Returns names that requests will create. `remember` replaces them by the created ones. */
const names = () => LATER.map((id) => `name-${id}`)

const INSTRUCTIONS = [
  ...QUESTION_KINDS.map((question) => ({ three_d_secure: { flow: 'challenge', question } })),
  { three_d_secure: { flow: 'frictionless', result: 'N' } },
  { capture: { seconds: 1, fail_as_code: 'errors.payment.declined' } },
  { fail_as_code: 'errors.stored_card.store.declined' },
  { fail_as_code: 133, fail_as_message: 'x' },
  { fraud_score: 85 },
]

/**
 * Creates the target of the control API. Faults and forced outcomes are deleted before rows are
 * created.
 */
const control = (): FuzzTarget => ({
  flags: ['--control-key', KEY],
  safe: ` ${BELOW}/`,
  check: (method, address, ...answer) =>
    checkControlAnswer(method, address.replace(BELOW, ''), ...answer),
  async begin(url) {
    await order(url, 'DELETE', '/faults')
    await reset(url)
    await restoreMerchants(url)
    const { ids, ...ground } = await newRows(url, OWN)
    const others = mutatedFixtures(await order(url, 'GET', '/fixtures'), begun++)
    const logins = {
      ...LOGINS,
      own: `Authorization: ${ADMINISTRATOR}`,
      other: `Authorization: ${authorizationOf(OWN)}`,
    }
    return { ...ground, others, ids: { ...ids, ...idsOfControl() }, logins }
  },
  drawers: (ground) => controlDrawers(ground),
})

/** Draws fixtures by their names: unchanged, or with a mutated part. */
function mutatedFixtures(
  fixtures: Readonly<Record<string, Json>>,
  seed: number,
): Readonly<Record<string, readonly Json[]>> {
  const draw = drawsBy(seed)
  const few = (value: Json) => (Array.isArray(value) ? value.slice(-3) : value)
  return Object.fromEntries(
    Object.entries(fixtures).map(([name, value]) => {
      const mutated = Array.from({ length: 6 }, () => mutateDeep(few(value), draw))
      return [name, [few(value), ...mutated]]
    }),
  )
}

const idsOfControl = (): Known['ids'] => {
  const some = ['1', '2', '3', '4', '5', '6', '7', '8']
  const places = [
    'payment-links',
    'faults',
    'mails',
    'deliveries',
    'templates',
    'merchants',
    'stories',
  ]
  return Object.fromEntries(places.map((place) => [place, [...some]]))
}

/**
 * Creates generators for calls of the control API.
 * @param wanted paths below `/_control`
 */
function controlDrawers(ground: Known, wanted = /^/): readonly Drawer[] {
  const document = readControlContract()
  const calls = callsOf(document).filter(({ path }) => wanted.test(path))
  return drawers(
    document,
    calls.map((call) => ({ ...call, path: BELOW + call.path })),
    ground,
  )
}

async function order<Body>(
  url: string,
  method: string,
  path: string,
  sent?: object,
): Promise<Body> {
  const headers = { authorization: ADMINISTRATOR, 'content-type': 'application/json' }
  const answer = await fetch(url + BELOW + path, {
    method,
    headers,
    body: sent ? JSON.stringify(sent) : null,
  })
  if (!answer.ok)
    throw new Error(`${method} ${path}: ${answer.status} ${answer.headers.get('mondido-explain')}`)
  return (await answer.json()) as Body
}

const reset = (url: string) => order(url, 'POST', '/reset')

/** Restores the merchants after requests have changed them, so that rows can be created. */
async function restoreMerchants(url: string): Promise<void> {
  for (const { id, password, secret } of [OWN, OTHER]) await restore(url, id, { password, secret })
}

async function restore(url: string, id: number, besides: object = {}): Promise<void> {
  const { changed_settings } = await order<{ changed_settings: string[] }>(
    url,
    'GET',
    `/merchants/${id}`,
  )
  const settings = Object.fromEntries(changed_settings.map((name) => [name, null]))
  await order(url, 'PUT', `/merchants/${id}`, { ...besides, settings })
}

/**
 * Forms that are not sent: injected faults would fail requests, a reset would delete the data, a
 * logout would end the session, and wrong passwords would lock the account.
 */
const LEFT_OUT_OF_CONSOLE =
  /^(?!\/console)|\/(?:controls\/(?:faults|data|snapshots|fixtures)|logout|login)/

/**
 * Creates the target of the console, with a merchant and an administrator who are logged in, and
 * every page and form that answers lead to.
 */
const ofConsole = (): FuzzTarget => {
  let ways: Ways | undefined
  return {
    flags: ['--control-key', KEY, '--templates', TEMPLATES],
    safe: '',
    check: () => {},
    get ways() {
      return ways
    },
    async begin(url) {
      await restoreMerchants(url)
      if (!ways) await newRows(url, OWN)
      ways ??= new Ways(url, LEFT_OUT_OF_CONSOLE, typed())
      const clients = await logIn(
        { handle: (request) => fetch(request, { redirect: 'manual' }) },
        url,
        KEY,
        OWN.password,
      )
      const [own, other] = [clients.merchant.cookie(), clients.administrator.cookie()]
      const tokens = [clients.merchant.token(), clients.administrator.token()]
      return {
        values: {},
        ids: { form_token: tokens },
        logins: { ...LOGINS, own: `Cookie: ${own}`, other: `Cookie: ${other}` },
      }
    },
    drawers: () =>
      (['own', 'other'] as const).flatMap((login) => {
        const address = login === 'own' ? '/console/1' : '/console/merchants'
        const first: Request = {
          operation: '',
          method: 'GET',
          address,
          body: null,
          type: '',
          login,
        }
        return ways?.take(first, `<html><a href="${address}">`, null).fresh ?? []
      }),
  }
}

export const FUZZ_TARGETS = { contract, api, control, console: ofConsole } as const

/** Ids of rows that requests will create. `remember` replaces them by the created ones. */
const LATER = [10, 11, 12, 13, 14, 15]
const SLOTS = LATER.map(String)

/** Returns the objects that requests can name, including some rows of the other merchant. */
export function knownOf(own: TestData, other: TestData, style: string, bank: AtBank): Known {
  const both = (...names: (keyof TestData)[]) => [
    ...[own, other].flatMap((of) => names.map((name) => String(of[name]))),
    ...SLOTS,
  ]
  return {
    values: {
      transaction_id: [own.approved, own.authorized, ...LATER],
      customer_id: [own.customer, ...LATER],
      stored_card_id: [own.stored_card, ...LATER],
      plan_id: [own.plan, ...LATER],
      customer_ref: [own.customer_ref],
      merchant_id: [MERCHANT.id],
      success_url: ['https://shop.example/thanks'],
      error_url: ['https://shop.example/sorry'],
    },
    ids: {
      transactions: both('approved', 'authorized', 'pending'),
      refunds: both('refund'),
      stored_cards: both('stored_card'),
      stored_card: both('stored_card'),
      customers: both('customer'),
      plans: both('plan'),
      subscriptions: both('subscription'),
      subscription: both('subscription'),
      webhooks: both('webhook'),
      attempts: both('attempt'),
      form: both('href_token'),
      mpi_js: both('nonce'),
      acs: [...bank.acs, ...SLOTS],
      payment: [...bank.payment, ...SLOTS],
      assets: [style.replace('/assets/', '')],
    },
  }
}

/** Parameters that contain ids, by the kind of the rows. */
const PARAMETERS: Readonly<Record<string, string>> = {
  transactions: 'transaction_id',
  customers: 'customer_id',
  stored_cards: 'stored_card_id',
  plans: 'plan_id',
  templates: 'template_id',
}

/** Names in answers that differ from the names in requests. */
const NAMES: Readonly<Record<string, string>> = { mpi_ref: 'ref', token: 'card_number' }

let remembered = 0

/** Adds the objects of an answer for later requests. */
export function remember(
  { values, ids, others = {} }: Known,
  { method, address }: Request,
  text: string,
): void {
  const put = (list: readonly Json[] | undefined, value: Json) =>
    void (list as Json[] | undefined)?.splice(-1 - (remembered++ % LATER.length), 1, value)
  for (const [, name = '', value = ''] of text.matchAll(
    /"(mpi_ref|provider_ref|mondido_attempt|token)":"([^"]+)"/g,
  ))
    put(others[NAMES[name] ?? name], value)
  for (const [, kind = '', token = ''] of text.matchAll(
    /\/v1\/(?:acs\/)?(form|acs|payment)\/([\w-]{16,})/g,
  ))
    put(ids[kind], token)
  const [, kind = ''] = /^\/\w+\/([\w-]+)(?:$|\?)/.exec(address) ?? []
  const [, id] = /^\{"id":(\d+)/.exec(text) ?? []
  if (method !== 'POST' || id === undefined) return
  put(ids[kind], id)
  put((kind === 'templates' ? others : values)[PARAMETERS[kind] ?? ''], Number(id))
}
