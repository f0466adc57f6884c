import { randomBytes } from 'node:crypto'
import { CALLS, type Calls, type PageQuery } from './client/calls.ts'
import type { CallOptions, CallRow, PageAnswer } from './client/kinds.ts'
import { createList } from './client/list.ts'
import { type Fetch, type Outgoing, send } from './client/send.ts'
import type { JsonValue } from './domain/json.ts'
import type { Locale } from './domain/language/languages.ts'
import { pickHashedParts, requestHash } from './domain/order/hash.ts'

export type * from './client/calls.ts'
export {
  LoginError,
  MondidoError,
  NoAnswerError,
  NotFoundError,
  PaymentError,
  type Refusal,
  RefusedError,
  TimeoutError,
  UnavailableError,
} from './client/errors.ts'
export type * from './client/kinds.ts'
export type { Fetch } from './client/send.ts'
export type * from './contract/wire.ts'

/** The merchant that a client calls for, and the addresses of the gateway. */
export interface ClientOptions {
  /** Address of the API. Default: http://localhost:4400. */
  readonly url?: string
  /** Address of the payment page. Default: `url`. */
  readonly payUrl?: string | undefined
  /** Address of the browser library. Default: `url`. */
  readonly cdnUrl?: string | undefined
  readonly merchantId: number
  readonly password: string
  /** Signs the requests that create payments. Without it, pass `hash` yourself. */
  readonly secret?: string
  /** Language of descriptions. Default: en. */
  readonly locale?: Locale
  /** Time limit of a call, in milliseconds. Default: 30,000. */
  readonly timeout?: number
  /** Retries of a call that is safe to repeat: see `docs/reference/client.md`. Default: 2. */
  readonly retries?: number
  /** Called before a call is sent again, with the reason. */
  readonly onRetry?: (reason: Error) => void
  /**
   * Sends requests. Default: the global `fetch`. Pass `gateway.handle` for a gateway in the same
   * process.
   */
  readonly fetch?: Fetch
}

/**
 * The typed client of one merchant: every call of the API, with hashes, errors, lists, timeouts and
 * retries.
 */
export interface Client extends Calls {
  /**
   * True if this gateway answers at the address, and not the real payment service. @throws the
   * error of the connection
   */
  isMock(): Promise<boolean>
}

/**
 * Creates a client for one merchant. It sends nothing until you call a method.
 * @example
 * import { createClient } from 'mondido-gateway/client'
 *
 * const client = createClient({ merchantId: 1, password: 'custom00', secret: 'sandbox-secret' })
 * const payment = await client.createTransaction({
 *   amount: '10.00',
 *   currency: 'sek',
 *   payment_ref: `order-${Date.now()}`,
 *   test: true,
 *   card_number: '4111111111111111',
 *   card_holder: 'Kim Berg',
 *   card_expiry: '1230',
 *   card_cvv: '200',
 * })
 * console.log(payment.status) // approved
 */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(CALLS).map(([name, row]) => [name, createCall(name, row, options)])
  return { ...(Object.fromEntries(calls) as Calls), isMock: () => isMock(options) }
}

async function isMock({
  url = 'http://localhost:4400',
  fetch = globalThis.fetch,
}: ClientOptions): Promise<boolean> {
  const answer = await fetch(new Request(`${url}/v1`))
  await answer.body?.cancel()
  return answer.headers.has('mondido-mock')
}

/** Parameters of a call. */
type Parameters = Readonly<Record<string, JsonValue | undefined>>

/**
 * Calls that a shop signs. A repeated one is recognised by its attempt, and gets the first answer.
 */
const SIGNED: ReadonlySet<string> = new Set([
  'createTransaction',
  'submitForm',
  'authenticateOrder',
])

function createCall(name: string, row: CallRow, client: ClientOptions) {
  const sending = {
    fetch: client.fetch ?? globalThis.fetch,
    timeout: client.timeout ?? 30_000,
    retries: client.retries ?? 2,
    onRetry: client.onRetry,
  }
  const inPath = row.path.match(/\{\w+\}/g) ?? []
  return (...args: unknown[]) => {
    const ids = args.slice(0, inPath.length)
    const rest = args.slice(inPath.length)
    const [given, options = {}] = (row.takes === false ? [undefined, ...rest] : rest) as [
      Parameters?,
      CallOptions?,
    ]
    const path = inPath.reduce(
      (made, part, at) => made.replace(part, encodeURIComponent(String(ids[at]))),
      row.path,
    )
    const parameters = SIGNED.has(name) ? signed(name, given ?? {}, client) : { ...given }
    const ask = (more: Parameters = {}) =>
      send(sending, outgoing(row, path, { ...parameters, ...more }, client), options)
    return READERS[row.answers](ask, parameters)
  }
}

type Ask = (more?: Parameters) => Promise<Response>

/** Readers of answers. */
const READERS: Readonly<Record<CallRow['answers'], (ask: Ask, parameters: Parameters) => unknown>> =
  {
    json: async (ask) => (await ask()).json(),
    text: async (ask) => (await ask()).text(),
    list: (ask, parameters) =>
      createList(parameters as PageQuery, async (query) => {
        const answer = await ask({ ...query })
        const total = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? 0)
        return { items: await answer.json(), total }
      }),
    async page(ask): Promise<PageAnswer> {
      const answer = await ask()
      return {
        status: answer.status,
        location: answer.headers.get('location') ?? undefined,
        body: await answer.text(),
      }
    },
  }

function signed(
  name: string,
  given: Parameters,
  { merchantId, secret }: ClientOptions,
): Parameters {
  return {
    merchant_id: merchantId,
    ...(secret === undefined
      ? {}
      : { hash: requestHash(pickHashedParts(merchantId, given), secret) }),
    ...(name === 'createTransaction'
      ? { mondido_attempt: randomBytes(18).toString('base64url') }
      : {}),
    ...given,
  }
}

/** Calls of payers have no login. The hash proves which merchant signed them. */
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
  if (!hasBody)
    for (const [name, value] of Object.entries(sent)) addTo(address.searchParams, name, value)
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
