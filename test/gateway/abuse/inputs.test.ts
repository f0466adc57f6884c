import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Refund } from '../../../mock-gateway/contract/wire.ts'
import { type Fields, hashed, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'
import { hide } from '../conformance/encrypt.ts'
import { DATABASES, openTestPlace } from '../storage/databases.ts'
import { ACCEPTED, API, expectEach, outcome } from './outcomes.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const shop = await sharedGateway()

let order: Fields
beforeEach(() => {
  order = hashed(prepared(), MERCHANT)
})

const sendForm = async (body: string, type = FORM) =>
  outcome(await shop.send('POST', API, body, { 'content-type': type }))
const sendJson = (body: string) => sendForm(body, JSON_TYPE)
/** Sends a valid JSON object with added members. */
const addToJson = (members: string) => sendJson(JSON.stringify(order).replace('{', `{${members},`))

test('an extend of any shape never fails, and never rejects a payment that was made', async () => {
  const shapes = [
    '[]=customer',
    '[a]=customer',
    '[0][a]=1',
    '[a][b]=c',
    '=%5B%7B%7D%5D',
    '=%7B%22a%22%3A',
    '=customer',
  ]
  await expectEach(shapes, ACCEPTED, async (shape) =>
    outcome(await shop.post(`${API}?extend${encodeURI(shape)}`, payment())),
  )
  expect(await addToJson('"extend":[{"a":1},null,[]]')).toBe(ACCEPTED)
})

test.each(DATABASES)('a NUL character in any address finds nothing on %s', async (_name, open) => {
  const elsewhere = await openGateway({ database: await openTestPlace(open) })
  const rooms = 'transactions stored_cards customers plans subscriptions webhooks refunds'
  for (const room of rooms.split(' '))
    expect((await elsewhere.get(`/v1/${room}/%00`)).status).toBe(404)
  expect((await elsewhere.browser.get('/v1/form/%00')).status).toBe(404)
  const attempt = await elsewhere.browser.get('/v1/attempts/%00', { merchant_id: MERCHANT.id })
  expect(attempt.body).toEqual({ state: 'unknown' })
})

const metadata = (characters: number) => `{"a":"${'x'.repeat(characters - '{"a":""}'.length)}"}`
const LONGEST = 64 * 1024

test.each([
  ['transaction', API, prepared],
  ['customer', '/v1/customers', () => ({})],
])('metadata of a new %s may have 64 KB', async (_kind, path, fields) => {
  expect(outcome(await shop.post(path, { ...fields(), metadata: metadata(LONGEST) }))).toBe(200)
  expect(outcome(await shop.post(path, { ...fields(), metadata: metadata(LONGEST + 1) }))).toBe(
    2091,
  )
})

describe('a list that is longer than the largest answer', () => {
  const LIMIT = 16 * 1024 * 1024
  const count = 300
  beforeAll(async () => {
    for (let made = 0; made < count; made++)
      await shop.post(API, prepared({ metadata: metadata(LONGEST) }))
  })

  test('is cut to 16 MB, and Content-Range names the last row', async () => {
    const { total } = await page(0)
    const seen: number[] = []
    for (let offset = 0; offset < total; ) {
      const { ids, bytes, range } = await page(offset)
      expect(bytes).toBeLessThanOrEqual(LIMIT)
      expect(ids.length).toBeGreaterThan(50)
      expect(range).toBe(`items ${offset + 1}-${offset + ids.length}/${total}`)
      seen.push(...ids)
      offset += ids.length
    }
    expect(seen).toEqual([...new Set(seen)].sort((one, other) => other - one))
    expect(seen).toHaveLength(total)
  })

  async function page(offset: number) {
    const { body, headers } = await shop.get<{ id: number }[]>(API, { limit: 1000, offset })
    const range = headers.get('content-range') ?? ''
    const bytes = Number(headers.get('content-length'))
    return { ids: body.map(({ id }) => id), bytes, range, total: Number(range.split('/')[1]) }
  }
})

test('a list of refunds is left out of a transaction that extend adds', async () => {
  const { id } = (await shop.post(API, payment())).body
  for (const reason of ['one', 'another'])
    await shop.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason })
  const { body } = await shop.get<Refund[]>('/v1/refunds', { extend: 'transaction' })
  for (const { transaction } of body)
    expect(transaction).toMatchObject({ id, refunds: [], refunds_all: [] })
  expect((await shop.get(`${API}/${id}`)).body.refunds).toHaveLength(2)
})

/** Returns a payment with many encrypted parameters, most of them unknown. */
function hiding(count: number): Fields {
  const idle = Array.from({ length: count - 2 }, (_, index) => [`idle_${index}`, 'x'])
  const fields = { merchant_id: 1, ...hashed(payment(), MERCHANT), ...Object.fromEntries(idle) }
  return hide(fields, 'card_number', 'card_cvv', ...idle.map(([name = '']) => name))
}

test('a request without a login can have eight encrypted values, because each costs an RSA operation', async () => {
  expect(outcome(await shop.browser.post(API, hiding(8)))).toBe(200)
  const refused = await shop.browser.post(API, hiding(9))
  expect(outcome(refused)).toBe(253)
  expect(refused.headers.get('mondido-explain')).toContain('at most 8 parameters')
})

test('a request with a login can have forty encrypted values', async () => {
  expect(outcome(await shop.post(API, hiding(40)))).toBe(200)
  expect(outcome(await shop.post(API, hiding(41)))).toBe(253)
})

/** Fields that only the gateway sets. */
const UNASKED = {
  id: 4711,
  status: 'approved',
  created_at: '2001-01-01T00:00:00Z',
  processed_at: '2001-01-01T00:00:00Z',
  org_auth_amount: '1.00',
  mpi_ref: 'mine',
  response_hash: 'mine',
  href: 'https://evil.example/',
  'cost[total]': '0',
  'refunds[0][amount]': '1.00',
  'captures[0][amount]': '1.00',
  'log_events[0][event_type]': 'mine',
}

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2', private_key: OTHER_PRIVATE_KEY }

test('a client cannot set fields that only the gateway sets', async () => {
  const shop = await openGateway({ merchants: [MERCHANT, OTHER] })
  const plain = (await shop.post('/v1/transactions', payment())).body
  const sent = (await shop.post('/v1/transactions', payment(UNASKED))).body
  const own = ({
    id,
    payment_ref,
    href,
    response_hash,
    request_hash,
    payment_request,
    payment_response,
    ...rest
  }: typeof sent) => ({
    ...rest,
    cost: { ...rest.cost, id: 0 },
    payment_details: 0,
    log_events: rest.log_events.map((event) => ({ ...event, id: 0 })),
    provider_ref: rest.provider_ref.length,
    ref: rest.ref?.length,
  })
  expect(own(sent)).toEqual(own(plain))
  expect(sent.id).toBe(plain.id + 1)
  expect(sent.href).not.toContain('evil')
  expect((await shop.post('/v1/transactions', prepared(UNASKED))).body.status).toBe('pending')
  // The merchant_id cannot be set to another merchant.
  expect((await shop.post('/v1/transactions', prepared({ merchant_id: 2 }))).body.code).toBe(202)
})
