import { randomBytes } from 'node:crypto'
import { CALLS, type Calls, type PageQuery } from './client/calls.ts'
import type { CallOptions, CallRow, PageAnswer } from './client/kinds.ts'
import { listOf } from './client/list.ts'
import { type Fetch, type Outgoing, send } from './client/send.ts'
import type { JsonValue } from './domain/json.ts'
import type { Locale } from './domain/language/languages.ts'
import { requestHash } from './domain/order/hash.ts'

export type * from './client/calls.ts'
export * from './client/errors.ts'
export type * from './client/kinds.ts'
export type { Fetch } from './client/send.ts'
export type * from './contract/wire.ts'

/** Whom a client calls for, and where. */
export interface ClientOptions {
  /** Where the API is. Default: http://localhost:4400. */
  readonly url?: string
  /** Where the payment page is, when that is another address. */
  readonly payUrl?: string | undefined
  /** Where the browser library is, when that is another address. */
  readonly cdnUrl?: string | undefined
  readonly merchantId: number
  readonly password: string
  /** Makes the hash of what is created; without it the caller gives the hash. */
  readonly secret?: string
  /** Language of descriptions. Default: en. */
  readonly locale?: Locale
  /** Milliseconds until a call is given up. Default: 30,000. */
  readonly timeout?: number
  /** How often a call is repeated that may be: see `docs/reference/client.md`. Default: 2. */
  readonly retries?: number
  /** Answers requests. Default: the machine's; `gateway.handle` for one in the same process. */
  readonly fetch?: Fetch
}

/** A merchant's program: every call of the contract, typed, with hash, errors, lists, timeouts and retries. */
export interface Client extends Calls {
  /** True if this gateway answers at the address, and not the real payment service. @throws the error of the connection */
  isMock(): Promise<boolean>
}

/** Makes a client; it calls nobody before it is asked to. */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(CALLS).map(([name, row]) => [name, callOf(name, row, options)])
  return { ...(Object.fromEntries(calls) as Calls), isMock: () => isMock(options) }
}

async function isMock({ url = 'http://localhost:4400', fetch = globalThis.fetch }: ClientOptions): Promise<boolean> {
  const answer = await fetch(new Request(`${url}/v1`))
  await answer.body?.cancel()
  return answer.headers.has('mondido-mock')
}

/** What is sent. */
type Parameters = Readonly<Record<string, JsonValue | undefined>>

/** What a shop signs. A repeated one is known by its attempt and answered as at first. */
const SIGNED: ReadonlySet<string> = new Set(['createTransaction', 'submitForm', 'authenticateOrder'])

function callOf(name: string, row: CallRow, client: ClientOptions) {
  const sending = {
    fetch: client.fetch ?? globalThis.fetch,
    timeout: client.timeout ?? 30_000,
    retries: client.retries ?? 2,
  }
  const inPath = row.path.match(/\{\w+\}/g) ?? []
  return (...args: unknown[]) => {
    const ids = args.slice(0, inPath.length)
    const rest = args.slice(inPath.length)
    const [given, options = {}] = (row.takes === false ? [undefined, ...rest] : rest) as [Parameters?, CallOptions?]
    const path = inPath.reduce((made, part, at) => made.replace(part, encodeURIComponent(String(ids[at]))), row.path)
    const parameters = SIGNED.has(name) ? signed(name, given ?? {}, client) : { ...given }
    const ask = (more: Parameters = {}) =>
      send(sending, outgoing(row, path, { ...parameters, ...more }, client), options)
    return READERS[row.answers](ask, parameters)
  }
}

type Ask = (more?: Parameters) => Promise<Response>

/** What a call makes of its answer. */
const READERS: Readonly<Record<CallRow['answers'], (ask: Ask, parameters: Parameters) => unknown>> = {
  json: async (ask) => (await ask()).json(),
  text: async (ask) => (await ask()).text(),
  list: (ask, parameters) =>
    listOf(parameters as PageQuery, async (query) => {
      const answer = await ask({ ...query })
      const total = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? 0)
      return { items: await answer.json(), total }
    }),
  async page(ask): Promise<PageAnswer> {
    const answer = await ask()
    return { status: answer.status, location: answer.headers.get('location') ?? undefined, body: await answer.text() }
  },
}

function signed(name: string, given: Parameters, { merchantId, secret }: ClientOptions): Parameters {
  const text = (field: string) => String(given[field] ?? '')
  const order = {
    merchantId: String(merchantId),
    paymentRef: text('payment_ref'),
    customerRef: text('customer_ref'),
    amount: text('amount'),
    currency: text('currency'),
    test: /^(true|1|on)$/.test(text('test')),
  }
  return {
    merchant_id: merchantId,
    ...(secret === undefined ? {} : { hash: requestHash(order, secret) }),
    ...(name === 'createTransaction' ? { mondido_attempt: randomBytes(18).toString('base64url') } : {}),
    ...given,
  }
}

/** Payers' calls have no login; who signs them is proven by the hash. */
function outgoing(
  { method, server, path }: CallRow,
  written: string,
  parameters: Parameters,
  client: ClientOptions,
): Outgoing {
  const { url = 'http://localhost:4400', merchantId, password, locale = 'en' } = client
  const servers = { base: url, pay: client.payUrl ?? url, cdn: client.cdnUrl ?? url }
  const address = new URL(`${servers[server].replace(/(?<!\/)\/+$/, '')}${written}`)
  const sent = { locale, ...parameters }
  const hasBody = method === 'POST' || method === 'PUT'
  if (!hasBody) for (const [name, value] of Object.entries(sent)) addTo(address.searchParams, name, value)
  const login =
    server === 'base' && !path.includes('/attempts/')
      ? { authorization: `Basic ${btoa(`${merchantId}:${password}`)}` }
      : {}
  const type = hasBody ? { 'content-type': 'application/json' } : {}
  return {
    url: address.href,
    init: {
      method,
      headers: { accept: 'application/json, */*;q=0.5', ...login, ...type },
      body: hasBody ? JSON.stringify(sent) : null,
    },
    isRepeatable: method === 'GET' || parameters.mondido_attempt !== undefined,
  }
}

/** `filter[status]=approved`. */
function addTo(query: URLSearchParams, name: string, value: JsonValue | undefined): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'object') query.set(name, String(value))
  else for (const [key, below] of Object.entries(value)) addTo(query, `${name}[${key}]`, below)
}
