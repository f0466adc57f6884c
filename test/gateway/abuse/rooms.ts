import { callsOf } from '../../../mock-gateway/web/docs/contract.ts'
import { styleAddress } from '../../helpers/assets.ts'
import { checkAnswer, checkControlAnswer, readContract, readControlContract } from '../../helpers/contract.ts'
import { authorizationOf, clientAt, MERCHANT } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { logIn, type Place, placeDrawers, placesOf } from './console-places.ts'
import { type AtBank, type Estate, newEstate, newPayersAtBank } from './estate.ts'
import { type Drawer, drawers, type Known, type Request, requestedCalls } from './fuzz-requests.ts'
import type { Json } from './fuzz-values.ts'

/** What there is while requests are sent. */
export interface Ground extends Known {
  /** A line of the head for each. */
  readonly logins: Readonly<Record<Request['login'], string | undefined>>
}

/** A part of what a gateway answers. */
export interface Room {
  /** Of the gateway's command line. */
  readonly flags: readonly string[]
  /** Requests with these bytes in them must never fail; what others meet may have been ordered. */
  readonly safe: string
  /** Holds an answer against a document. @throws Error that says what is not as documented */
  readonly check: typeof checkAnswer
  /** Makes rows of every kind at a gateway. */
  begin(url: string): Promise<Ground>
  drawers(ground: Ground): readonly Drawer[]
}

const KEY = 'a-key-of-our-own'

export const OTHER = { id: 2, password: 'other password', secret: 'other secret', private_key: OTHER_PRIVATE_KEY }

/** The first merchant as administrators may put it back: what everybody knows is no password to them. */
const OWN = { ...MERCHANT, password: 'a password of its own' }

const ADMINISTRATOR = `Basic ${btoa(`admin:${KEY}`)}`

/** The line of the head with which the own merchant, or another, is logged in. */
export const LOGINS: Ground['logins'] = {
  own: `Authorization: ${authorizationOf(MERCHANT)}`,
  other: `Authorization: ${authorizationOf(OTHER)}`,
  broken: 'Authorization: Basic \u00ff:',
  none: undefined,
}

async function newRows(url: string, merchant = MERCHANT): Promise<Ground> {
  const shop = clientAt(url, merchant)
  const [own, other] = [await newEstate(shop), await newEstate(clientAt(url, OTHER))]
  return { ...knownOf(own, other, await styleAddress(shop), await newPayersAtBank(shop, MERCHANT.id)), logins: LOGINS }
}

/** What merchants' servers, payers and the bank ask for. */
const api = (): Room => ({
  flags: [],
  safe: '',
  check: checkAnswer,
  begin: (url) => newRows(url),
  drawers: (ground) => drawers(readContract(), requestedCalls(readContract()), ground),
})

const BELOW = '/_control'

/** The control API. What was ordered of requests to come is taken back before rows are made. */
const control = (): Room => ({
  flags: ['--control-key', KEY],
  safe: ` ${BELOW}/`,
  check: (method, address, ...answer) => checkControlAnswer(method, address.replace(BELOW, ''), ...answer),
  async begin(url) {
    await order(url, 'DELETE', '/faults')
    await order(url, 'POST', '/reset')
    await restoreMerchants(url)
    const { ids, ...ground } = await newRows(url, OWN)
    const some = ['1', '2', '3', '4', '5', '6', '7', '8']
    const places = ['payment-links', 'faults', 'mails', 'deliveries', 'templates', 'merchants', 'stories']
    const logins = {
      ...LOGINS,
      own: `Authorization: ${ADMINISTRATOR}`,
      other: `Authorization: ${authorizationOf(OWN)}`,
    }
    return { ...ground, ids: { ...ids, ...Object.fromEntries(places.map((place) => [place, some])) }, logins }
  },
  drawers(ground) {
    const document = readControlContract()
    const calls = callsOf(document).map((call) => ({ ...call, path: BELOW + call.path }))
    return drawers(document, calls, ground)
  },
})

async function order<Body>(url: string, method: string, path: string, sent?: object): Promise<Body> {
  const headers = { authorization: ADMINISTRATOR, 'content-type': 'application/json' }
  const answer = await fetch(url + BELOW + path, { method, headers, body: sent ? JSON.stringify(sent) : null })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${answer.headers.get('mondido-explain')}`)
  return (await answer.json()) as Body
}

/** Undoes what requests have done to merchants, so that rows can be made. */
async function restoreMerchants(url: string): Promise<void> {
  for (const { id, password, secret } of [OWN, OTHER]) {
    const { changed_settings } = await order<{ changed_settings: string[] }>(url, 'GET', `/merchants/${id}`)
    const settings = Object.fromEntries(changed_settings.map((name) => [name, null]))
    await order(url, 'PUT', `/merchants/${id}`, { password, secret, settings })
  }
}

/** The console, by a merchant and by an administrator who are logged in. */
const ofConsole = (): Room => {
  let places: readonly Place[] | undefined
  return {
    flags: ['--control-key', KEY],
    safe: '',
    check: () => {},
    async begin(url) {
      await restoreMerchants(url)
      if (!places) await newRows(url, OWN)
      const clients = await logIn(
        { handle: (request) => fetch(request, { redirect: 'manual' }) },
        url,
        KEY,
        OWN.password,
      )
      places ??= await placesOf(clients)
      const [own, other] = [clients.merchant.cookie(), clients.administrator.cookie()]
      const tokens = [clients.merchant.token(), clients.administrator.token()]
      return {
        values: {},
        ids: { form_token: tokens },
        logins: { ...LOGINS, own: `Cookie: ${own}`, other: `Cookie: ${other}` },
      }
    },
    drawers: () => placeDrawers(places ?? []),
  }
}

export const ROOMS = { api, control, console: ofConsole } as const

/** Ids of rows that the requests themselves make; `remember` puts others in their place. */
const LATER = [10, 11, 12, 13, 14, 15]
const SLOTS = LATER.map(String)

/** What the documented examples can be made real with; rows of the other merchant are among the ids. */
export function knownOf(own: Estate, other: Estate, style: string, bank: AtBank): Known {
  const both = (...names: (keyof Estate)[]) => [
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

/** Parameters that name rows, by where these are made. */
const PARAMETERS: Readonly<Record<string, string>> = {
  transactions: 'transaction_id',
  customers: 'customer_id',
  stored_cards: 'stored_card_id',
  plans: 'plan_id',
}

let remembered = 0

/** What an answer names is there for the requests that follow. */
export function remember({ values, ids }: Known, { method, address }: Request, text: string): void {
  const put = (list: readonly Json[] | undefined, value: Json) =>
    void (list as Json[] | undefined)?.splice(-1 - (remembered++ % LATER.length), 1, value)
  for (const [, kind = '', token = ''] of text.matchAll(/\/v1\/(?:acs\/)?(form|acs|payment)\/([\w-]{16,})/g))
    put(ids[kind], token)
  const [, kind = ''] = /^\/\w+\/([\w-]+)(?:$|\?)/.exec(address) ?? []
  const [, id] = /^\{"id":(\d+)/.exec(text) ?? []
  if (method !== 'POST' || id === undefined) return
  put(ids[kind], id)
  put(values[PARAMETERS[kind] ?? ''], Number(id))
}
