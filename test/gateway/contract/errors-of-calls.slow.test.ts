import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entryByName } from '../../../mock-gateway/domain/errors/errors.ts'
import type { Call } from '../../../mock-gateway/web/docs/contract.ts'
import { callFinder, errorNameOf } from '../../helpers/contract.ts'
import {
  type Answer,
  CARD,
  type Client,
  encode,
  type Fields,
  hashed,
  MERCHANT,
  prepared,
  START,
  type TestGateway,
  type TestMerchant,
} from '../../helpers/gateway.ts'
import { CALLS as PROVOCATIONS } from '../errors/provocations.ts'
import { startErrorGateway, type World, worldOf } from '../errors/world.ts'
import { EXPIRING, LONG_AGO, ORDERS_WRONG, WRONG } from './call-errors.ts'
import { addressOf, CALLS, contract, SENT, titleOf } from './call-requests.ts'

/** Returns true for errors that a single call of these tests cannot cause. */
const isOutOfReach = ({ method, path }: Call, code: number): boolean =>
  // The client of the tests sends no body with a GET, so it cannot send broken JSON.
  (code === 252 && method === 'get') ||
  // Needs a webhook before the payment: test/gateway/webhooks.
  [193, 261, 2610].includes(code) ||
  // Needs a simultaneous request, or a payment that waits for an answer.
  code === 1531 ||
  // Needs a merchant that offers another currency: test/gateway/web/hosted.
  (code === 116 && path === '/v1/form/{token}') ||
  // Needs a payment link whose uses are taken: test/gateway/payments.
  (code === 146 && method === 'get') ||
  // Needs a 3-D Secure authentication before, or a merchant without 3-D Secure.
  [4, 169, 1691].includes(code)

const RETURN_URLS = {
  success_url: 'https://shop.example/thanks',
  error_url: 'https://shop.example/sorry',
}

const callsAt = callFinder(contract)
/** Received error codes by call. */
const received = new Map(CALLS.map((call) => [call.pointer, new Set<number>()]))

interface Sent {
  readonly client: Client
  readonly method: string
  readonly path: string
  readonly body: string | null
}
let last: Sent

/** Creates a client whose error codes are recorded. */
function noting(unnoted: Client, merchant: TestMerchant): Client {
  async function send<Body>(
    method: string,
    path: string,
    body: string | null = null,
    headers = {},
  ) {
    last = { client, method, path, body }
    const answer = await unnoted.send<Body>(method, path, body, headers)
    note(method, path, answer)
    return answer
  }
  const client: Client = {
    send,
    get: (path, fields = {}, headers = {}) =>
      send('GET', `${path}${path.includes('?') ? '&' : '?'}${encode(fields)}`, null, headers),
    post: (path, fields = {}, headers = {}) =>
      send('POST', path, encode(hashed(fields, merchant)), headers),
    put: (path, fields = {}, headers = {}) => send('PUT', path, encode(fields), headers),
  }
  return client
}

function note(method: string, path: string, answer: Answer<unknown>) {
  const code = codeOf(answer)
  if (code !== undefined) receivedAt(method, path)?.add(code)
}

function receivedAt(method: string, path: string) {
  const { pathname } = new URL(path, 'http://localhost')
  const call = callsAt(pathname).find((one) => one.method === method.toLowerCase())
  return call && received.get(call.pointer)
}

function codeOf(answer: Answer<unknown>) {
  const name = errorNameOf(answer)
  return name === undefined ? undefined : entryByName(name)?.code
}

let shop: TestGateway
let world: World
beforeAll(async () => {
  shop = await startErrorGateway()
  const noted = {
    ...shop,
    ...noting(shop, MERCHANT),
    browser: noting(shop.browser, MERCHANT),
    as: (one: TestMerchant) => noting(shop.as(one), one),
  }
  world = worldOf(noted, 'en')
  await world.storedCard(EXPIRING)
  await world.prepare(LONG_AGO)
  shop.clock.advance(Date.UTC(2026, 3, 14, 12) - START)
  await lockOut()
  const orders = ORDERS_WRONG.map(
    (order) =>
      ({ post }: World) =>
        post('/v1/transactions', order),
  )
  for (const provoke of [...Object.values(PROVOCATIONS), ...orders]) {
    const code = codeOf(await provoke(world))
    if (code !== undefined && last.method === 'POST' && last.path.startsWith('/v1/transactions'))
      await again(last, code)
  }
})
afterAll(() => shop.close())

const LOCKED = { authorization: `Basic ${btoa('78:wrong')}` }

async function lockOut() {
  for (let failure = 0; failure < 10; failure++) await shop.get('/v1/transactions', {}, LOCKED)
}

/**
 * Repeats a mistake of a new transaction in a form with card data, which pays immediately, and in
 * an update of a prepared transaction. The short run omits calls that have returned this error
 * already.
 */
async function again({ client, body }: Sent, code: number) {
  const order = Object.fromEntries(new URLSearchParams(body ?? ''))
  const { id } = (await client.post('/v1/transactions', prepared())).body
  const ways: readonly (readonly [method: string, path: string, fields: Fields])[] = [
    ['POST', '/v1/form', order],
    ['POST', '/v1/form', { ...RETURN_URLS, ...order }],
    ['POST', '/v1/mpi_js', { ...CARD, ...order }],
    ['PUT', `/v1/transactions/${id}`, order],
    // This call can pay the order. After that, no other field is checked.
    ['POST', '/v1/form', { ...RETURN_URLS, ...CARD, ...order, process: true }],
  ]
  for (const [method, path, fields] of ways)
    if (!receivedAt(method, path)?.has(code)) await client.send(method, path, encode(fields))
}

type Provocation = (client: Client, method: string, address: string) => Promise<Answer<unknown>>

/**
 * Requests that cause errors before a call reads its own parameters. Not every call decrypts or
 * needs a login.
 */
const EVERYWHERE: readonly Provocation[] = [
  ...[
    'x=%FF',
    'x=1&x=2',
    'metadata[a=1',
    'encrypted=ref',
    'encrypted=x&x=AAAA',
    'merchant_id=2',
  ].map(
    (query) => (client: Client, method: string, address: string) =>
      client.send(method, `${address}?${query}`),
  ),
  ...['filter=hello', 'filter[secret]=1', 'filter[id]=ten'].map(
    (query) => (client: Client, method: string, address: string) =>
      client.send(method, `${address}?${query}`),
  ),
  ...[{ authorization: 'Basic ?' }, LOCKED].map(
    (headers) => (client: Client, method: string, address: string) =>
      client.send(method, address, null, headers),
  ),
  (client, method, address) =>
    client.send(method, address, method === 'GET' ? null : '{', {
      'content-type': 'application/json',
    }),
]

describe('the contract lists exactly the errors that these tests get from a call:', () => {
  // /v2 is the same call at another address. It is tested at its first address.
  for (const call of CALLS.filter(({ path }) => path !== '/v2/transactions/{id}'))
    test(titleOf(call), async () => {
      const method = call.method.toUpperCase()
      let address = await addressOf(world, call)
      for (const provoke of EVERYWHERE) {
        const { status } = await provoke(world, method, address)
        // Only a successful change needs a new object for the next request.
        if (status < 400 && method !== 'GET') address = await addressOf(world, call)
      }
      await world.stranger.send(method, address)
      await send(call, call.path.replace(/\{\w+\}/, '999999'), await goodOf(call))
      for (const { fields, address } of (await WRONG[call.operation.operationId]?.(world)) ?? [])
        await send(call, address ?? (await addressOf(world, call)), {
          ...(await goodOf(call)),
          ...fields,
        })
      const known = call.operation['x-errors']
      const came = received.get(call.pointer) ?? new Set()
      expect({
        missing: known.filter((code) => !came.has(code) && !isOutOfReach(call, code)),
        undocumented: [...came].filter((code) => !known.includes(code)),
      }).toEqual({ missing: [], undocumented: [] })
    })
})

const goodOf = async (call: Call): Promise<Fields> =>
  (await SENT[call.operation.operationId]?.[0]?.(world)) ?? {}

const send = ({ method }: Call, address: string, fields: Fields) =>
  method === 'get'
    ? world.get(address, fields)
    : world.send(method.toUpperCase(), address, encode(fields))
