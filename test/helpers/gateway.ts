import { fileURLToPath } from 'node:url'
import type { ApiError, Transaction } from '../../mock-gateway/contract/wire.ts'
import { seededBytes } from '../../mock-gateway/domain/chance.ts'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../mock-gateway/gateway.ts'
import { DEFAULT_MERCHANT } from '../../mock-gateway/merchants/seed.ts'
import { checkAnswer, readAnswer } from './contract.ts'
import { TEST_PRIVATE_KEY } from './keys.ts'

/**
 * Parameters of a call, form-encoded under their names, such as `metadata[a]`; undefined values are
 * not sent.
 */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>

/** `body` has the type that the caller names: parsed JSON, or text for all other answers. */
export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** The members of both, for tests that know which one they get. */
export type TransactionOrError = Transaction & ApiError

type Headings = Readonly<Record<string, string>>

/** Calls the gateway as one merchant, with its password, unless `headers` say otherwise. */
export interface Client {
  get<Body = TransactionOrError>(
    path: string,
    fields?: Fields,
    headers?: Headings,
  ): Promise<Answer<Body>>
  /** Adds the canonical hash, unless `fields` names its own; `hash: undefined` sends none. */
  post<Body = TransactionOrError>(
    path: string,
    fields?: Fields,
    headers?: Headings,
  ): Promise<Answer<Body>>
  put<Body = TransactionOrError>(
    path: string,
    fields?: Fields,
    headers?: Headings,
  ): Promise<Answer<Body>>
  /** Sends a body as it is; a form unless `headers` name another content type. */
  send<Body = TransactionOrError>(
    method: string,
    path: string,
    body?: string | null,
    headers?: Headings,
  ): Promise<Answer<Body>>
}

/** A merchant as tests know it. */
export interface TestMerchant {
  readonly id: number
  readonly password: string
  readonly secret: string
  readonly private_key?: string
  readonly settings?: NonNullable<GatewayOptions['merchants']>[number]['settings']
}

/**
 * The first merchant of every test gateway. The hash of the known password is not worked out at
 * each start.
 */
export const MERCHANT: TestMerchant = {
  id: 1,
  password: DEFAULT_MERCHANT.password,
  secret: 'test-secret',
  private_key: TEST_PRIVATE_KEY,
}

/** Folder of page templates 1, 3 and 5. Template 5 cannot be rendered. */
export const TEMPLATES = fileURLToPath(new URL('./templates/', import.meta.url))

/** Noon of the day on which every test gateway starts. */
export const START = Date.UTC(2026, 2, 14, 12)

export interface HandSetClock {
  now(): number
  advance(milliseconds: number): void
}

export function handSetClock(at = START): HandSetClock {
  let now = at
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
  }
}

export { seededBytes }

export interface TestGatewayOptions
  extends Omit<GatewayOptions, 'merchants' | 'ambient' | 'clock'> {
  /** Default: `MERCHANT` alone. The first is whom `get`, `post` and `put` call for. */
  readonly merchants?: readonly [TestMerchant, ...TestMerchant[]]
  /** Two gateways on one database need different ones. */
  readonly seed?: string
  /** True if a test uses invented rows: then answers are not validated against the contract. */
  readonly madeUpRows?: true
  /** The machine's. The gateway's own, which everything hangs on, is `gateway.clock`. */
  readonly clock?: HandSetClock
}

export interface TestGateway extends Client {
  readonly gateway: Gateway
  readonly merchant: TestMerchant
  readonly clock: HandSetClock
  as(merchant: TestMerchant): Client
  /**
   * Sends calls like a page in a browser: with the hash of the first merchant, without a password.
   */
  readonly browser: Client
  close(): Promise<void>
}

/**
 * Starts a gateway without a port, with a clock that the test sets, and a client of its first
 * merchant. The caller closes it.
 */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const {
    seed = 'a seed',
    clock = handSetClock(),
    merchants = [MERCHANT],
    madeUpRows,
    ...rest
  } = options
  const gateway = await createGateway({
    // Webhooks reach a receiver only if a test listens.
    webhooks: { call: false },
    ...rest,
    merchants,
    ambient: { now: clock.now, randomBytes: seededBytes(seed) },
  })
  const [merchant] = merchants
  const check = madeUpRows ? () => undefined : checkAnswer
  const as = (one: TestMerchant) =>
    clientOf(gateway.handle, one, { authorization: authorizationOf(one) }, check)
  const browser = clientOf(gateway.handle, merchant, {}, check)
  return { gateway, merchant, clock, as, browser, close: () => gateway.close(), ...as(merchant) }
}

/** The login of a merchant. */
export const authorizationOf = ({ id, password }: Pick<TestMerchant, 'id' | 'password'>): string =>
  `Basic ${btoa(`${id}:${password}`)}`

/**
 * A client of a gateway in another process, which follows no redirects either. @param url where
 * that listens, such as http://localhost:4400
 */
export const clientAt = (url: string, merchant: TestMerchant): Client =>
  clientOf(
    (request) => fetch(request, { redirect: 'manual' }),
    merchant,
    { authorization: authorizationOf(merchant) },
    checkAnswer,
    url,
  )

/** A client of whatever answers requests, which holds no answer against the contract. */
export const clientOver = (handle: Gateway['handle'], merchant: TestMerchant): Client =>
  clientOf(handle, merchant, { authorization: authorizationOf(merchant) }, () => undefined)

function clientOf(
  handle: Gateway['handle'],
  merchant: TestMerchant,
  login: Headings,
  check: typeof checkAnswer,
  url = 'http://localhost:4400',
): Client {
  async function call<Body>(
    method: string,
    path: string,
    body: string | null = null,
    headers: Headings = {},
  ) {
    const type = body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method, body, headers: { ...login, ...type, ...headers } }
    const answer = await handle(new Request(new URL(path, url), init))
    const read = readAnswer(answer.headers, await answer.text())
    check(method, path, answer.status, answer.headers, read)
    return { status: answer.status, headers: answer.headers, body: read as Body }
  }
  return {
    get: (path, fields = {}, headers = {}) => {
      const query = encode(fields)
      return call('GET', query ? `${path}?${query}` : path, null, headers)
    },
    post: (path, fields = {}, headers = {}) =>
      call('POST', path, encode(hashed(fields, merchant)), headers),
    put: (path, fields = {}, headers = {}) => call('PUT', path, encode(fields), headers),
    send: call,
  }
}

/** The form encoding of the fields. */
export function encode(fields: Fields): string {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return String(new URLSearchParams(sent.map(([name, value]) => [name, String(value)])))
}

/** The fields with their canonical hash, unless they name their own. */
export function hashed(
  fields: Fields,
  { id, secret }: Pick<TestMerchant, 'id' | 'secret'>,
): Fields {
  const part = (name: string) => String(fields[name] ?? '')
  const request = {
    merchantId: String(id),
    paymentRef: part('payment_ref'),
    customerRef: part('customer_ref'),
    amount: part('amount'),
    currency: part('currency'),
    test: part('test') === 'true',
  }
  return { hash: requestHash(request, secret), ...fields }
}

let orders = 0

/** A card payment of 10.00 SEK in test mode that the bank approves, for an order of its own. */
export const payment = (over: Fields = {}): Fields => ({ ...order(), ...CARD, ...over })

/** A transaction that is prepared only: the payer has yet to pay it. */
export const prepared = (over: Fields = {}): Fields => ({
  ...order(),
  ...RETURN_URLS,
  process: false,
  ...over,
})

/** A card that pays. */
export const CARD = {
  card_number: '4111111111111111',
  card_holder: 'Anna Andersson',
  card_expiry: '1230',
  card_cvv: '200',
}

const RETURN_URLS = {
  success_url: 'https://shop.example/thanks',
  error_url: 'https://shop.example/sorry',
}

const order = (): Fields => ({
  amount: '10.00',
  currency: 'sek',
  payment_ref: `order-${++orders}`,
  test: true,
})
