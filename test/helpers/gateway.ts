import { fileURLToPath } from 'node:url'
import type { ApiError, Transaction } from '../../mock-gateway/contract/wire.ts'
import { createSeededBytes } from '../../mock-gateway/domain/chance.ts'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../mock-gateway/gateway.ts'
import { DEFAULT_MERCHANT } from '../../mock-gateway/merchants/seed.ts'
import { checkAnswer, readAnswer } from './contract.ts'
import { TEST_PRIVATE_KEY } from './keys.ts'

/**
 * Parameters of a call that are sent as a form, by name, such as `metadata[a]`. Undefined values
 * are not sent.
 */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>

/**
 * Answer of the gateway. `body` is parsed JSON of the type that the caller names, or the text of
 * any other answer.
 */
export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Members of transaction and error, for tests that know which of them they get. */
export type TransactionOrError = Transaction & ApiError

type Headings = Readonly<Record<string, string>>

/**
 * Client of one merchant. It sends the merchant's password, unless `headers` contain another login.
 */
export interface Client {
  get<Body = TransactionOrError>(
    path: string,
    fields?: Fields,
    headers?: Headings,
  ): Promise<Answer<Body>>
  /**
   * Sends a POST with the canonical hash, unless `fields` contain a hash. `hash: undefined` sends
   * none.
   */
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
  /** Submits the form of a page, without a hash. */
  submit(path: string, fields: Fields, headers?: Headings): Promise<Answer<string>>
  /** Sends a raw body, as a form unless `headers` contain another content type. */
  send<Body = TransactionOrError>(
    method: string,
    path: string,
    body?: string | null,
    headers?: Headings,
  ): Promise<Answer<Body>>
}

/** Merchant with the values that tests need. */
export interface TestMerchant {
  readonly id: number
  readonly password: string
  readonly secret: string
  readonly private_key?: string
  readonly settings?: NonNullable<GatewayOptions['merchants']>[number]['settings']
}

/**
 * First merchant of every test gateway. It has the default password, whose digest need not be
 * calculated at each start.
 */
export const MERCHANT: TestMerchant = {
  id: 1,
  password: DEFAULT_MERCHANT.password,
  secret: 'test-secret',
  private_key: TEST_PRIVATE_KEY,
}

/** Creates another merchant, with its own password and secret. */
export const createMerchant = (
  id: number,
  settings: NonNullable<TestMerchant['settings']>,
): TestMerchant => ({
  id,
  password: `password ${id}`,
  secret: `secret ${id}`,
  settings,
})

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

export { createSeededBytes }

export interface TestGatewayOptions
  extends Omit<GatewayOptions, 'merchants' | 'ambient' | 'clock'> {
  /**
   * Merchants of the gateway. `get`, `post` and `put` use the first one. Default: only `MERCHANT`.
   */
  readonly merchants?: readonly [TestMerchant, ...TestMerchant[]]
  /** Seed of the random values. Two gateways on one database need different seeds. */
  readonly seed?: string
  /** True if a test uses invented rows, so that answers are not checked against the contract. */
  readonly madeUpRows?: true
  /** Clock of the machine. The gateway's own clock, which dates follow, is `gateway.clock`. */
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
    ambient: { now: clock.now, randomBytes: createSeededBytes(seed) },
  })
  const [merchant] = merchants
  const check = madeUpRows ? () => undefined : checkAnswer
  const as = (one: TestMerchant) =>
    clientOf(gateway.handle, one, { authorization: authorizationOf(one) }, check)
  const browser = clientOf(gateway.handle, merchant, {}, check)
  return { gateway, merchant, clock, as, browser, close: () => gateway.close(), ...as(merchant) }
}

/** Returns the Authorization header of a merchant. */
export const authorizationOf = ({ id, password }: Pick<TestMerchant, 'id' | 'password'>): string =>
  `Basic ${btoa(`${id}:${password}`)}`

/**
 * Creates a client of a gateway in another process. Like all clients, it does not follow redirects.
 * @param url address of the gateway, such as http://localhost:4400
 */
export const clientAt = (url: string, merchant: TestMerchant): Client =>
  clientOf(
    (request) => fetch(request, { redirect: 'manual' }),
    merchant,
    { authorization: authorizationOf(merchant) },
    checkAnswer,
    url,
  )

/** Creates a client of any request handler. It does not check answers against the contract. */
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
    submit: (path, fields, headers = {}) => call('POST', path, encode(fields), headers),
    send: call,
  }
}

/** Encodes fields as a form. */
export function encode(fields: Fields): string {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return String(new URLSearchParams(sent.map(([name, value]) => [name, String(value)])))
}

/** Returns the fields with their canonical hash, unless they contain a hash. */
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

/** Returns a card payment of 10.00 SEK in test mode for a new order, which the bank approves. */
export const payment = (over: Fields = {}): Fields => ({ ...order(), ...CARD, ...over })

/** Returns a prepared transaction, which the payer pays later. */
export const prepared = (over: Fields = {}): Fields => ({
  ...order(),
  ...URLS,
  process: false,
  ...over,
})

/**
 * Prepares a transaction.
 * @returns its id and payment_ref, and the path of its payment page
 */
export async function preparePage(shop: Pick<Client, 'post'>, over: Fields = {}) {
  const { body } = await shop.post('/v1/transactions', prepared(over))
  return { id: body.id, ref: body.payment_ref, path: new URL(body.href).pathname }
}

/** Test card whose payments are approved. */
export const CARD = {
  card_number: '4111111111111111',
  card_holder: 'Anna Andersson',
  card_expiry: '1230',
  card_cvv: '200',
}

/** Addresses of the shop to which a payer returns. */
export const URLS = {
  success_url: 'https://shop.example/thanks',
  error_url: 'https://shop.example/sorry',
}

const order = (): Fields => ({
  amount: '10.00',
  currency: 'sek',
  payment_ref: `order-${++orders}`,
  test: true,
})
