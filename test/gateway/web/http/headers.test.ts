import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../../../../mock-gateway/gateway.ts'
import project from '../../../../package.json' with { type: 'json' }
import { payment } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const calls = [
  ['a payment', () => shop.post('/v1/transactions', payment()), '200 OK'],
  ['a list', () => shop.get('/v1/transactions'), '200 OK'],
  ['a refusal', () => shop.post('/v1/transactions', {}), '400 Bad Request'],
  ['a failed login', () => shop.browser.get('/v1/transactions'), '401 Unauthorized'],
  ['an unknown transaction', () => shop.get('/v1/transactions/999'), '404 Not Found'],
] as const

test.each(calls)('the answer to %s has the headers of the API', async (_what, call, status) => {
  const headers = Object.fromEntries((await call()).headers)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    status,
    'cache-control': 'no-store, private',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'x-xss-protection': '1; mode=block',
    'x-request-id': expect.stringMatching(UUID),
    'x-runtime': expect.stringMatching(/^\d+\.\d+$/),
  })
  // These would name the server software.
  for (const name of ['x-powered-by', 'set-cookie']) expect(headers).not.toHaveProperty(name)
})

test.each(['/', '/v1/transactions', '/v1/nothing', '/v2/mondido.js?merchant_id=1', '/health'])(
  'the answer of %s has the header Mondido-Mock',
  async (path) =>
    expect((await shop.browser.get(path)).headers.get('mondido-mock')).toBe(
      `mondido-gateway/${project.version}`,
    ),
)

test('no answer has the header Mondido-Mock if mockHeader is false', async () => {
  const plain = await openGateway({ mockHeader: false })
  expect((await plain.get('/v1/transactions')).headers.get('mondido-mock')).toBeNull()
})

test('a no-store answer has no ETag, and is sent even to a client with an ETag', async () => {
  const { headers } = await shop.get('/v1/transactions')
  expect(headers.get('etag')).toBeNull()
  for (const path of ['/v1/transactions', '/docs'])
    expect((await shop.get(path, {}, { 'if-none-match': '*' })).status).toBe(200)
})

test('the ETag of a public answer is the MD5 of the body', async () => {
  const { headers, body } = await shop.get<object>('/openapi.json')
  expect(headers.get('etag')).toBe(
    `"${createHash('md5').update(JSON.stringify(body)).digest('hex')}"`,
  )
})

test('only lists have a Content-Range', async () => {
  const { body, headers } = await shop.post('/v1/transactions', payment())
  expect(headers.get('content-range')).toBeNull()
  expect((await shop.get(`/v1/transactions/${body.id}`)).headers.get('content-range')).toBeNull()
  expect((await shop.get('/v1/transactions', { limit: 1 })).headers.get('content-range')).toMatch(
    /^items 1-1\/\d+$/,
  )
})

test('HEAD returns only the headers of GET', async () => {
  const head = await shop.send<string>('HEAD', '/v1/transactions')
  expect(head.status).toBe(200)
  expect(head.headers.get('content-range')).toMatch(/^items /)
})

describe('a script of another origin', () => {
  const CORS = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'Content-Type',
    'access-control-expose-headers': 'Mondido-Explain',
    'access-control-request-method': '*',
    'access-control-max-age': '7200',
  }
  const corsOf = (headers: Headers) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
  const FOREIGN = { origin: 'https://shop.example' }

  for (const [what, over] of [
    ['a payment', {}],
    ['a decline', { card_cvv: '201' }],
    ['a wrong hash', { hash: 'x' }],
    ['an unknown merchant', { merchant_id: 99 }],
    ['a request that cannot be read', { 'metadata[': '' }],
  ] as const)
    test(`can read the answer to ${what}`, async () => {
      const { headers } = await shop.browser.post(
        '/v1/transactions',
        payment({ merchant_id: 1, ...over }),
        FOREIGN,
      )
      expect(corsOf(headers)).toEqual(CORS)
    })

  test('can send a preflight before a post', async () => {
    const asked = {
      ...FOREIGN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-a',
    }
    const { status, headers } = await shop.browser.send('OPTIONS', '/v1/transactions', null, asked)
    expect(status).toBe(200)
    expect(corsOf(headers)).toEqual(CORS)
  })

  for (const [method, path] of [
    ['GET', '/v1/transactions'],
    ['GET', '/v1/transactions/1'],
    ['GET', '/v1/stored_cards'],
    ['OPTIONS', '/v1/refunds'],
    ['OPTIONS', '/v1/transactions/1'],
  ] as const)
    test(`cannot read ${method} ${path}`, async () => {
      for (const origin of ['https://shop.example', 'null'])
        expect(corsOf((await shop.send(method, path, null, { origin })).headers)).toEqual({})
    })
})

test.each([
  ['http://pay.example', null],
  ['http://localhost:4400', null],
  ['https://pay.example', 'max-age=31536000'],
  ['https://localhost:4400', 'max-age=0'],
  ['https://[::1]:4400', 'max-age=0'],
])('a gateway at %s sends Strict-Transport-Security: %s', async (address, expected) => {
  const gateway = await createGateway({ addresses: { base: address, pay: address, cdn: address } })
  const { headers } = await gateway.handle(new Request(`${address}/health`))
  expect(headers.get('strict-transport-security')).toBe(expected)
  await gateway.close()
})
