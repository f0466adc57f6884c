import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { MERCHANT, payment, prepared, START } from '../../helpers/gateway.ts'
import { openGateway } from '../../helpers/shared-gateway.ts'
import { openTestPlace, postgresPlace } from '../storage/databases.ts'

const DAY = 86_400_000
const OTHER = { ...MERCHANT, id: 2 }

const begin = () => openGateway({ merchants: [MERCHANT, OTHER] })
const iso = (at: number) => new Date(at).toISOString().replace('.000', '')

test('a merchant with its own clock uses it, and other merchants use the common one', async () => {
  const { gateway, post, as } = await begin()
  await gateway.clock.freeze(START + DAY)
  await gateway.clock.freeze(new Date(START + 9 * DAY), { merchant: 2 })
  expect((await post('/v1/transactions', payment())).body.created_at).toBe(iso(START + DAY))
  expect((await as(OTHER).post('/v1/transactions', payment())).body.created_at).toBe(
    iso(START + 9 * DAY),
  )
  expect([gateway.clock.now(), gateway.clock.now({ merchant: 2 })]).toEqual([
    START + DAY,
    START + 9 * DAY,
  ])
  expect(await gateway.clock.read({ merchant: 2 })).toMatchObject({ now: START + 9 * DAY })
})

test('a running clock moves from its time at the moment of the move (simulation, seeds 676 and 667)', async () => {
  let looks = 0
  const runs = { now: () => START + looks++, advance: () => {} }
  const shop = await openGateway({ clock: runs })
  const asked = shop.gateway.clock.now()
  const { from, now } = await shop.gateway.clock.freeze()
  expect(from).toBeGreaterThan(asked + 1)
  expect(now).toBe(from)
  expect(shop.gateway.clock.now()).toBe(now)
})

test('a running clock never lists a future event with a past time (simulation, seed 528)', async () => {
  let ahead = 0
  const shop = await openGateway({ clock: { now: () => START + ahead, advance: () => {} } })
  await shop.post('/v1/transactions', prepared())
  const reading = shop.gateway.clock.read()
  ahead = 30 * DAY
  const { now, next } = await reading
  expect(next[0]?.at).toBeGreaterThan(now)
})

test('a browser request with a hash uses the clock of the merchant that it pays', async () => {
  const { gateway, browser } = await begin()
  await gateway.clock.freeze(START + 9 * DAY, { merchant: 1 })
  const { body } = await browser.post('/v1/transactions', payment({ merchant_id: 1 }))
  expect(body.created_at).toBe(iso(START + 9 * DAY))
})

test('a clock advances by parts, returns to the time of the machine, and moves to the next event', async () => {
  const { gateway, post } = await begin()
  const { clock } = gateway
  expect(await clock.advance({ months: 1, days: 1 })).toMatchObject({
    from: START,
    now: Date.UTC(2026, 3, 15, 12),
  })
  expect(await clock.resume({ real: true })).toMatchObject({ mode: 'real', now: START })
  await post('/v1/transactions', prepared())
  const [expiry] = (await clock.read()).next
  expect(await clock.advance({ until: 'next event' })).toMatchObject({
    now: expiry?.at,
    happened: [{ kind: expiry?.kind }],
  })
})

test('the search for due work uses one database connection, because requests need the others', async () => {
  const target = await openTestPlace(postgresPlace)
  const shop = await openGateway({ database: target })
  const client = new pg.Client(inject('postgresUrl'))
  await client.connect()
  try {
    for (let look = 0; look < 3; look++) await shop.gateway.clock.read()
    const sql = 'select count(*)::int as count from pg_stat_activity where datname = $1'
    const { rows } = await client.query(sql, [new URL(target).pathname.slice(1)])
    // One connection is for the runner, and one for reading the clock at the same time.
    expect(rows[0].count).toBeLessThanOrEqual(2)
  } finally {
    await client.end()
  }
})
