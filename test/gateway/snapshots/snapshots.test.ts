import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dataTables, OTHER_TABLES } from '../../../mock-gateway/storage/data-tables.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { restoreRows } from '../../../mock-gateway/storage/snapshots.ts'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { openGateway } from '../../helpers/shared-gateway.ts'
import {
  DATABASES,
  filePlace,
  openTestDatabase,
  openTestPlace,
  type Place,
  postgresPlace,
} from '../storage/databases.ts'
import { type ControlClient, controlOf } from '../web/control/client.ts'

const OTHER = { ...MERCHANT, id: 2 }
const MERCHANTS = [MERCHANT, OTHER] as const
const HOOK = { trigger: 'payment', url: 'http://127.0.0.1:9/' }
const STORING = { store_card: true, webhook: JSON.stringify(HOOK) }

describe('snapshots', () => {
  let place: Place
  let shop: TestGateway
  let control: ControlClient
  const start = async (seed: string) => {
    shop = await startGateway({ database: place.target, merchants: MERCHANTS, seed })
    control = controlOf(shop.gateway)
  }
  beforeAll(async () => {
    place = await filePlace()
    await start('first')
  })
  beforeEach(async () => {
    await control.post('/reset')
    for (const { name } of await snapshots()) await control.delete(`/snapshots/${name}`)
  })
  afterAll(async () => {
    await shop.close()
    await place.remove()
  })

  const snapshots = async () =>
    (
      await control.get<{
        snapshots: { name: string; payments: number }[]
      }>('/snapshots')
    ).body.snapshots
  const save = (name: string) => control.post('/snapshots', { name })
  const restore = (name: string) => control.post(`/snapshots/${name}/restore`)
  let refs = 0
  const pay = async (over = {}, merchant = MERCHANT) =>
    (
      await shop
        .as(merchant)
        .post('/v1/transactions', payment({ ...STORING, payment_ref: `s${++refs}`, ...over }))
    ).body

  const LISTS = ['transactions', 'stored_cards', 'customers', 'refunds', 'webhooks'] as const
  /** Reads every list of the API, byte for byte. */
  const answers = async (merchant = MERCHANT) =>
    Promise.all(
      LISTS.map(async (list) => {
        const { headers, body } = await shop.as(merchant).get(`/v1/${list}`, { limit: 100 })
        return `${headers.get('content-range')} ${JSON.stringify(body)}`
      }),
    )

  /** Simulates a day of a shop. Returns the answers, and the data afterwards. */
  async function liveThrough(merchant = MERCHANT) {
    const client = shop.as(merchant)
    const told: unknown[] = []
    const note = ({ status, body }: { status: number; body: unknown }) => told.push(status, body)
    const first = await pay({ payment_ref: 'day-1', authorize: true }, merchant)
    told.push(first)
    note(await client.put(`/v1/transactions/${first.id}/capture`, { amount: '4.00' }))
    note(
      await client.post('/v1/refunds', { transaction_id: first.id, amount: '1.00', reason: 'x' }),
    )
    await control.post(`/clock/advance?merchant_id=${merchant.id}`, { days: 3 })
    told.push(
      await pay({ payment_ref: 'day-2' }, merchant),
      await pay({ payment_ref: 'day-3' }, merchant),
    )
    const { body } = await control.get(`/webhooks/deliveries?merchant_id=${merchant.id}`)
    told.push(body)
    return JSON.stringify([told, await answers(merchant)])
  }

  test('after a restore the same calls have the same answers, byte for byte', async () => {
    await control.post('/clock/freeze?merchant_id=1', { at: '2030-01-01' })
    await control.post('/seed?merchant_id=1', { seed: 'a test' })
    const before = await pay({ authorize: true })
    await control.post('/payments/next?merchant_id=1', {
      outcome: 'errors.payment.declined',
      times: 1,
    })
    const saved = await save('morning')
    expect(saved).toMatchObject({ status: 200, body: { name: 'morning', payments: 1 } })
    const state = await answers()
    const first = await liveThrough()
    await shop.put(`/v1/transactions/${before.id}/capture`)
    for (const _ of [1, 2]) {
      expect(await restore('morning')).toMatchObject({ status: 200, body: saved.body })
      expect(await answers()).toEqual(state)
      expect(shop.gateway.clock.now({ merchant: 1 })).toBe(Date.UTC(2030, 0))
      expect(await liveThrough()).toBe(first)
    }
  })

  test('after a restart and a reset a snapshot is restored as well', async () => {
    await control.post('/clock/freeze', { at: '2030-01-01' })
    await control.post('/seed', { seed: 'a test' })
    await pay()
    await save('morning')
    const state = await answers()
    const first = await liveThrough()
    await control.post('/reset')
    await shop.close()
    await start('after the restart')
    expect(await snapshots()).toMatchObject([{ name: 'morning', payments: 1 }])
    await restore('morning')
    expect(await answers()).toEqual(state)
    expect(await liveThrough()).toBe(first)
  })

  test('a restore changes the data of all merchants, and keeps accounts, secrets, settings and logins', async () => {
    await pay({}, OTHER)
    await control.post('/clock/freeze?merchant_id=2', { at: '2029-01-01' })
    await save('all')
    const idsOf = async () =>
      (await shop.as(OTHER).get<{ id: number }[]>('/v1/transactions')).body.map(({ id }) => id)
    const theirs = await idsOf()
    await pay({}, OTHER)
    await control.post('/clock/freeze?merchant_id=2', { at: '2030-06-01' })
    const made = (await control.post('/merchants', { name: 'Later' })).body
    await control.put('/merchants/2', { secret: 'changed-secret' })
    await control.post('/templates?merchant_id=2', { name: 'own', source: '<p>{{ amount }}' })
    expect((await restore('all')).status).toBe(200)
    expect(await idsOf()).toEqual(theirs)
    expect(shop.gateway.clock.now({ merchant: 2 })).toBe(Date.UTC(2029, 0))
    expect((await control.get(`/merchants/${made.id}`)).body).toMatchObject({ name: 'Later' })
    expect((await control.get('/templates?merchant_id=2')).body).toHaveLength(1)
    expect((await pay({}, { ...OTHER, secret: 'changed-secret' })).status).toBe('approved')
    await control.put('/merchants/2', { secret: OTHER.secret })
  })

  test('a restore that fails halfway changes nothing', async () => {
    await pay()
    await save('whole')
    await pay()
    const before = await answers()
    const broken = await openDatabase(place.target)
    await sql`alter table customers rename column metadata to gone`.execute(broken.db)
    await expect(restoreRows(broken, 'whole', () => 0)).rejects.toThrow('metadata')
    await sql`alter table customers rename column gone to metadata`.execute(broken.db)
    await broken.close()
    expect(await answers()).toEqual(before)
    expect((await restore('whole')).status).toBe(200)
  })

  test('a running clock continues from the time of the snapshot', async () => {
    await control.post('/clock/set?merchant_id=1', { at: '2030-01-01' })
    await save('running')
    shop.clock.advance(5_000)
    await control.post('/clock/advance?merchant_id=1', { days: 9 })
    await restore('running')
    expect(shop.gateway.clock.now({ merchant: 1 })).toBe(Date.UTC(2030, 0))
    shop.clock.advance(5_000)
    expect(shop.gateway.clock.now({ merchant: 1 })).toBe(Date.UTC(2030, 0, 1, 0, 0, 5))
    await control.post('/reset')
    await save('real')
    await control.post('/clock/freeze', { at: '2035-01-01' })
    await restore('real')
    expect(shop.gateway.clock.now()).toBe(shop.clock.now())
  })

  test('forced outcomes and faults are restored immediately', async () => {
    await control.post('/payments/next', { outcome: 'errors.payment.declined' })
    await control.post('/faults', { kind: 'unavailable', path: '/v1/refunds', times: 1 })
    await save('set')
    expect((await pay()).code).toBe(129)
    await control.delete('/faults')
    expect((await pay()).status).toBe('approved')
    expect((await shop.get('/v1/refunds')).status).toBe(200)
    await restore('set')
    expect((await pay()).code).toBe(129)
    expect((await shop.get('/v1/refunds')).status).toBe(503)
  })

  test('a snapshot is replaced by another with its name, listed and deleted', async () => {
    await save('a')
    await pay()
    await save('a')
    await save('b')
    expect(await snapshots()).toMatchObject([
      { name: 'a', payments: 1 },
      { name: 'b', payments: 1 },
    ])
    await control.delete('/snapshots/b')
    expect(await snapshots()).toMatchObject([{ name: 'a' }])
    expect((await restore('a')).status).toBe(200)
    expect((await control.post('/snapshots?merchant_id=1', { name: 'mine' })).body.code).toBe(253)
  })

  test('a deleted snapshot leaves no table', async () => {
    const { db } = await openTestDatabase(place.target)
    const countTables = async () => (await db.introspection.getTables()).length
    const before = await countTables()
    await save('a')
    await save('a')
    expect(await countTables()).toBe(before + dataTables.length)
    await control.delete('/snapshots/a')
    expect(await countTables()).toBe(before)
  })

  test('an unknown snapshot is named, with the existing ones', async () => {
    await save('a')
    for (const answer of [await restore('b'), await control.delete('/snapshots/b')]) {
      expect([answer.status, answer.body.code]).toEqual([404, 196])
      expect(answer.headers.get('mondido-explain')).toBe(
        'There is no snapshot b. The snapshots are a.',
      )
    }
  })

  test.each(['', ' ', '../a', 'a b', 'å', 'a/b', '.', `a${'b'.repeat(64)}`, "a'--"])(
    'the name %j is rejected with error 253',
    async (name) => {
      const { status, body, headers } = await save(name)
      expect([status, body.code]).toEqual([400, 253])
      expect(headers.get('mondido-explain')).toMatch(/^name must be 1 to 64 letters, digits/)
    },
  )
})

test('there are at most 50 snapshots: another one is rejected, unless it replaces one of them', async () => {
  const shop = await openGateway()
  const control = controlOf(shop.gateway)
  const save = (name: string) => control.post('/snapshots', { name })
  for (let n = 0; n < 50; n++) expect((await save(`s${n}`)).status).toBe(200)
  const { status, body, headers } = await save('s50')
  expect([status, body.code]).toEqual([400, 253])
  expect(headers.get('mondido-explain')).toBe('There are 50 snapshots already. Delete one first.')
  expect((await save('s49')).status).toBe(200)
})

test('a database of PostgreSQL that a test has returned has no snapshots', async () => {
  const { target, remove } = await postgresPlace()
  const { gateway } = await startGateway({ database: target })
  expect((await controlOf(gateway).post('/snapshots', { name: 'of-this-test' })).status).toBe(200)
  await gateway.close()
  await remove()
  const { db } = await openTestDatabase(await openTestPlace(postgresPlace))
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  expect(tables.filter((name) => name.startsWith('snapshot_'))).toEqual([])
})

test.each(DATABASES)(
  'every table of %s is replaced by a restore, or has a reason not to be',
  async (_name, open) => {
    const target = await openTestPlace(open)
    const { db } = await openTestDatabase(target)
    const tables = (await db.introspection.getTables()).map(({ name }) => name)
    // Triggers of the database update the counts of rows; the migrations belong to the tables.
    const known = [...dataTables, ...Object.keys(OTHER_TABLES), 'row_counts', 'migrations']
    expect(tables.toSorted()).toEqual(known.toSorted())
    for (const reason of Object.values(OTHER_TABLES)) expect(reason).not.toBe('')
  },
)
