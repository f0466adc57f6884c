import { beforeEach, expect, test } from 'vitest'
import { listRequests } from '../../../../mock-gateway/storage/requests.ts'
import { MERCHANT, payment, START } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { DATABASES, openTestDatabase, openTestPlace } from '../../storage/databases.ts'
import { controlOf } from './client.ts'

const OTHER = { ...MERCHANT, id: 2 }
const STORING = { store_card: true, metadata: '{"a":1}' }

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })
const control = controlOf(shop.gateway)

beforeEach(async () => {
  await control.post('/reset')
  for (const client of [shop, shop.as(OTHER)]) {
    const { body } = await client.post('/v1/transactions', payment(STORING))
    await client.post('/v1/refunds', { transaction_id: body.id, amount: '1.00', reason: 'broken' })
  }
})

const LISTS = ['transactions', 'stored_cards', 'customers', 'refunds'] as const
const totals = async (merchant = MERCHANT) =>
  Promise.all(
    LISTS.map(async (list) =>
      (await shop.as(merchant).get(`/v1/${list}`)).headers.get('content-range'),
    ),
  )

test('a reset deletes the data of all merchants, and ids start with 1 again', async () => {
  await control.post('/clock/freeze', { at: '2030-01-01' })
  await control.post('/clock/freeze?merchant_id=2', { at: '2031-01-01' })
  await control.post('/payments/next', { outcome: 'errors.payment.declined' })
  const { status, body } = await control.post('/reset')
  expect({ status, body }).toEqual({ status: 200, body: { merchant_id: null, reset: true } })
  for (const merchant of [MERCHANT, OTHER])
    expect(await totals(merchant)).toEqual(Array(4).fill('items 0-0/0'))
  expect([shop.gateway.clock.now(), shop.gateway.clock.now({ merchant: 2 })]).toEqual([
    START,
    START,
  ])
  expect((await shop.post('/v1/transactions', payment())).body).toMatchObject({
    id: 1,
    status: 'approved',
  })
})

test('a reset of one merchant does not affect other merchants', async () => {
  const before = await totals(OTHER)
  await control.post('/clock/freeze?merchant_id=1', { at: '2031-01-01' })
  await control.post('/clock/freeze?merchant_id=2', { at: '2031-01-01' })
  await control.post('/reset?merchant_id=1')
  expect(await totals()).toEqual(Array(4).fill('items 0-0/0'))
  expect(await totals(OTHER)).toEqual(before)
  expect(shop.gateway.clock.now({ merchant: 1 })).toBe(START)
  expect(shop.gateway.clock.now({ merchant: 2 })).toBe(Date.UTC(2031, 0))
})

test('the same random seed on the same data gives the same tokens, and on other data others', async () => {
  const tokens = async () => {
    const { body } = await shop.post<{ href: string }>('/v1/transactions', payment(STORING))
    return body.href
  }
  await control.post('/reset')
  await control.post('/seed', { seed: 'a test' })
  const first = [await tokens(), await tokens()]
  await control.post('/seed', { seed: 'a test' })
  expect(first).not.toContain(await tokens())
  await control.post('/reset')
  expect((await control.get('/seed')).body).toEqual({ merchant_id: null, seeded: false })
  await control.post('/seed', { seed: 'a test' })
  expect([await tokens(), await tokens()]).toEqual(first)
  await control.delete('/seed')
  await control.post('/reset')
  expect(first).not.toContain(await tokens())
})

test('a merchant has its own random seed: requests of other merchants do not change its tokens', async () => {
  const tokenOf = async (merchant = MERCHANT) =>
    (await shop.as(merchant).post('/v1/transactions', payment(STORING))).body.href.split('/').at(-1)
  const seedBoth = async () => {
    for (const id of [1, 2]) await control.post(`/seed?merchant_id=${id}`, { seed: 'a test' })
  }
  await control.post('/reset')
  await seedBoth()
  const first = [await tokenOf(), await tokenOf()]
  const other = await tokenOf(OTHER)
  expect(first).not.toContain(other)
  await control.post('/reset?merchant_id=1')
  expect((await control.get('/seed?merchant_id=1')).body).toEqual({ merchant_id: 1, seeded: false })
  expect((await control.get('/seed?merchant_id=2')).body).toEqual({ merchant_id: 2, seeded: true })
  await control.post('/seed?merchant_id=1', { seed: 'a test' })
  expect([await tokenOf(), (await tokenOf(OTHER)) === other, await tokenOf()]).toEqual([
    first[0],
    false,
    first[1],
  ])
  await control.post('/reset')
})

test('forced outcomes and faults survive a restart, and a reset deletes them', async () => {
  const database = await openTestPlace()
  const before = await openGateway({ database, seed: 'before the restart' })
  const set = controlOf(before.gateway)
  const next = { merchant_id: null, outcome: 'errors.payment.declined', times: 2 }
  await set.post('/payments/next', { outcome: next.outcome, times: 3 })
  const latency = { kind: 'latency', milliseconds: 1, path: '/v1/refunds', times: 0 }
  await set.post('/faults', latency)
  expect((await before.post('/v1/transactions', payment())).body.code).toBe(129)
  await before.get('/v1/refunds')
  await before.close()
  const shop = await openGateway({ database, seed: 'after the restart' })
  const control = controlOf(shop.gateway)
  expect((await control.get('/payments/next')).body).toMatchObject({ next: [next] })
  expect((await control.get('/faults')).body).toMatchObject({
    faults: [{ kind: 'latency', struck: 1 }],
  })
  expect((await shop.post('/v1/transactions', payment())).body.code).toBe(129)
  await control.post('/reset?merchant_id=1')
  expect((await control.get('/payments/next')).body).toMatchObject({
    next: [{ ...next, times: 1 }],
  })
  await control.post('/reset')
  expect((await control.get('/payments/next')).body).toEqual({ next: [] })
  expect((await control.get('/faults')).body).toEqual({ faults: [] })
})

test.each(DATABASES)(
  'every table of %s is emptied, except merchants and migrations',
  async (_name, open) => {
    const target = await openTestPlace(open)
    const shop = await openGateway({ database: target })
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ store_card: true, authorize: true }),
    )
    await shop.put(`/v1/transactions/${body.id}/capture`)
    await controlOf(shop.gateway).post('/reset')
    await shop.close()
    const { db } = await openTestDatabase(target)
    const kept: string[] = []
    // A schema of its own belongs to a snapshot, which another test may have left.
    for (const { name, schema } of await db.introspection.getTables()) {
      if ((schema ?? 'mondido') !== 'mondido') continue
      const rows = await db
        .selectFrom(name as 'merchants')
        .selectAll()
        .execute()
      if (rows.length > 0) kept.push(name)
    }
    // Counts stay as rows with 0, and the reset itself is a stored request.
    expect(kept.filter((name) => name !== 'row_counts').toSorted()).toEqual([
      'merchants',
      'migrations',
      'requests',
    ])
    expect((await listRequests(db, {})).map(({ route }) => route)).toEqual(['/_control/reset'])
  },
)
