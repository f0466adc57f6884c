import { afterAll, describe, expect, test } from 'vitest'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/gateway.ts'
import type { Document } from '../../../mock-gateway/web/docs/contract.ts'
import {
  CARD,
  type Client,
  encode,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { TEST_PRIVATE_KEY } from '../../helpers/keys.ts'
import { share } from '../../helpers/shared.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { startErrorGateway, worldOf } from '../errors/world.ts'
import { addressOf, CALLS, SENT, titleOf } from './call-requests.ts'
import { paste } from './curl.ts'

const HERE = { base: 'https://api.example', pay: 'https://pay.example', cdn: 'https://cdn.example' }
const { id, password, secret } = DEFAULT_MERCHANT
const SANDBOX = { id, password, secret, private_key: TEST_PRIVATE_KEY }

const shop = await sharedGateway({ merchants: [SANDBOX], addresses: HERE })

const plain = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** Reads the first page and every page that links lead to, by path. */
async function everyPage(client: Pick<TestGateway, 'get'> = shop): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const paths = ['/docs']
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    if (pages.has(path)) continue
    const { status, body } = await client.get<string>(path)
    expect([path, status]).toEqual([path, 200])
    pages.set(path, body)
    const links = [...body.matchAll(/href="(\/docs[^"#]*)/g)].map(([, to = '']) => to)
    paths.push(...links.filter((to) => !/\.(?:md|json)$/.test(to) && !pages.has(to)))
  }
  return pages
}

describe('/openapi.json', () => {
  test('is the contract, readable for any page, with the addresses of this gateway', async () => {
    const { status, headers, body } = await shop.get<Record<string, never>>('/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: '{base_url}', variables: { base_url: { default: HERE.base } } }],
      paths: {
        '/v1/form': { servers: [{ variables: { pay_url: { default: HERE.pay } } }] },
        '/v2/mondido.js': { servers: [{ variables: { cdn_url: { default: HERE.cdn } } }] },
        '/v1/refunds/{id}': {
          get: { 'x-errors': [138, 182, 194, 196, 197, 200, 202, 207, 252, 253, 2091] },
        },
      },
    })
    expect(JSON.stringify(body)).toContain(`"${HERE.pay}/v1/form/`)
    expect(JSON.stringify(body)).not.toContain('localhost:4400')
  })

  test('is not sent again to a client that has it', async () => {
    const etag = (await shop.get('/openapi.json')).headers.get('etag') ?? ''
    expect((await shop.get('/openapi.json', {}, { 'if-none-match': etag })).status).toBe(304)
  })
})

test('/openapi-control.json is the document of the control API, for any page, without its key', async () => {
  const { status, headers, body } = await shop.browser.get<Document>('/openapi-control.json')
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  expect(body.servers[0]).toMatchObject({
    url: '{base_url}/_control',
    variables: { base_url: { default: HERE.base } },
  })
  expect(Object.keys(body.paths)).toContain('/clock/advance')
})

test.each(['swagger.json', 'openapi', 'postman', 'bruno.json'])(
  '/docs/%s leads to the contract',
  async (guess) => {
    const { status, headers } = await shop.get(`/docs/${guess}`)
    expect([status, headers.get('location')]).toEqual([302, `${HERE.base}/openapi.json`])
  },
)

const pages = await everyPage()

test('/docs has no page of more than 120 KB', () => {
  for (const [path, html] of pages)
    expect({ path, kilobytes: html.length / 1_000 < 120 }).toEqual({ path, kilobytes: true })
})

test('the documentation in /docs does not show the secrets of other merchants than the default merchant', async () => {
  const other = await startGateway({ merchants: [MERCHANT] })
  const { body } = await other.get<string>('/docs/calls/createTransaction')
  await other.close()
  expect(body).toContain('-u MERCHANT_ID:PASSWORD')
  for (const secret of [MERCHANT.password, MERCHANT.secret, SANDBOX.password, SANDBOX.secret])
    expect(body).not.toContain(`'${secret}`)
})

describe('a command on a page works when it is pasted:', async () => {
  const gateway = await startGateway({ merchants: [SANDBOX], library: import.meta.filename })
  afterAll(() => gateway.close())
  await fillFirstIds(gateway)
  const called = [...(await everyPage(gateway))].filter(([path]) => path.startsWith('/docs/calls/'))
  const commands = called.map(([, html]) =>
    plain(/<pre tabindex="0" data-lang="sh">([^<]*)<\/pre>/.exec(html)?.[1] ?? ''),
  )

  test('every call has a command', () => {
    expect(commands.length).toBeGreaterThan(50)
    expect(commands.every((command) => /^(?:curl|PAGE=)/.test(command))).toBe(true)
  })

  // Commands that delete or cancel run last.
  const ends = (command: string) => Number(command.includes('DELETE'))
  for (const command of commands.toSorted((one, other) => ends(one) - ends(other)))
    test(command.split(' \\\n')[0] ?? '', async () => {
      expect((await paste(command, gateway.browser)).status).toBe(statusOf(command))
    })
})

/**
 * Expected statuses by the last call of a command. A payer is redirected. A capture without an id
 * finds no transaction.
 */
const STATUSES: readonly (readonly [RegExp, number])[] = [
  [/\/transactions\/\/capture/, 404],
  [/\/page"/, 204],
  [/\/acs\/payment\//, 303],
  [/\/v1\/acs\/.*action=code/s, 303],
  [/\/v1\/acs\//, 200],
  [/\/v1\/(?:form|mpi_js).*card_number/s, 303],
]

const statusOf = (command: string): number =>
  STATUSES.find(([pattern]) => pattern.test(command))?.[1] ?? 200

/** Creates an object of every kind, with the id 1. */
async function fillFirstIds(client: Client) {
  const webhook = '{"trigger":"payment","url":"https://shop.example/hook"}'
  await client.post('/v1/transactions', payment({ authorize: true, webhook }))
  await client.post('/v1/stored_cards', { ...CARD, card_type: 'VISA', currency: 'sek', test: true })
  await client.post('/v1/plans', {
    name: 'A',
    interval: 1,
    interval_unit: 'months',
    prices: '{"sek":"1.00"}',
  })
  await client.post('/v1/subscriptions', { plan_id: 1, stored_card_id: 1 })
  const { id } = (await client.post('/v1/transactions', payment())).body
  await client.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'A' })
}

describe('unchanged answers', async () => {
  const shop = await share(startErrorGateway())
  const world = worldOf(shop, 'en')

  describe('a client with a cached answer gets status 304 only for calls whose contract has it:', () => {
    for (const call of CALLS.filter(
      ({ method, operation }) => method === 'get' && operation.responses[200],
    ))
      test(titleOf(call), async () => {
        const fields = await SENT[call.operation.operationId]?.[0]?.(world)
        const address = `${await addressOf(world, call)}?${encode(fields ?? {})}`
        const first = await shop.get(address)
        const again = await shop.get(
          address,
          {},
          { 'if-none-match': first.headers.get('etag') ?? '' },
        )
        expect([first.status, again.status]).toEqual([
          200,
          call.operation.responses[304] ? 304 : 200,
        ])
      })
  })
})

describe('forced errors', async () => {
  const shop = await sharedGateway({
    merchants: [{ ...MERCHANT, settings: { error_object: true } }],
  })

  /** Error codes, one for each status. */
  const FORCED = [
    [138, 401],
    [182, 401],
    [207, 403],
    [204, 404],
    [129, 400],
  ] as const

  describe.each(FORCED)(
    'with error_object a forced error %i includes the transaction',
    (code, status) => {
      const forced = { 'metadata[service_instructions][fail_as_code]': code }
      const withTransaction = {
        status,
        body: { code, object: { transaction: { status: 'failed' } } },
      }

      test('when the transaction is created', async () => {
        expect(await shop.post('/v1/transactions', payment(forced))).toMatchObject(withTransaction)
      })

      test('when the transaction is changed', async () => {
        const { id } = (await shop.post('/v1/transactions', prepared())).body
        expect(await shop.put(`/v1/transactions/${id}`, payment(forced))).toMatchObject(
          withTransaction,
        )
      })
    },
  )
})
