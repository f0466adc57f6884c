import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { SqliteExecutor } from '../../../mock-gateway/storage/sqlite-executor.ts'
import { MERCHANT, payment } from '../../helpers/gateway.ts'
import { openSink } from '../../helpers/sink.ts'
import { newPlan } from '../subscriptions/new-subscription.ts'
import { onBothDatabases, openShop, type Shop } from './shop.ts'

let shop: Shop | undefined
afterEach(() => shop?.close())

onBothDatabases((openShop) => {
  test('webhook rule 31: a clock that jumps sends every retry once, in order', async () => {
    shop = await openShop()
    shop.sink.answer(500)
    await shop.pay()
    await shop.pay()
    await shop.attempted(2)
    const { happened } = await shop.gateway.clock.advance({ days: 1 })
    const moments = happened.map(({ at }) => at)
    expect(moments).toEqual([...moments].sort((a, b) => a - b))
    expect(shop.sink.received.length).toBe(happened.length + 2)
    await shop.gateway.clock.set(shop.gateway.clock.now() - 3_600_000, { force: true })
    expect(shop.sink.received.length).toBe(happened.length + 2)
  })

  test('webhook rule 31: queued webhooks are sent before a clock moves', async () => {
    shop = await openShop()
    const { pay } = shop
    shop.sink.answer(500, (response) => pause(20).then(() => void response.end()))
    await shop.pay()
    const [{ created_at: start } = { created_at: 0 }] = await shop.attempted(1)
    await Promise.all(Array.from({ length: 40 }, () => pay()))
    const { happened } = await shop.gateway.clock.advance({ days: 1 })
    const attempts = await shop.attempts()
    expect(happened).toHaveLength(1)
    expect(attempts.map(({ created_at }) => created_at)).toEqual([
      ...Array(41).fill(start),
      happened[0]?.at,
    ])
  })
})

test("steps of a merchant's clock do not search for the due work of other merchants", async () => {
  shop = await openShop()
  const { id: plan_id } = await newPlan(shop)
  await shop.pay({ trigger: 'recurring_success' }, { plan_id, amount: '99.00' })
  const asked = vi.spyOn(SqliteExecutor.prototype, 'executeQuery')
  const started = performance.now()
  const { happened } = await shop.gateway.clock.advance({ months: 24 }, { merchant: 1 })
  const seconds = (performance.now() - started) / 1000
  const queries = asked.mock.calls.map(([{ sql }]) => sql)
  asked.mockRestore()
  expect(happened.map(({ kind }) => kind).slice(-2)).toEqual(['charge', 'webhook'])
  // The gateway searches once a second and after the move, for each of two clocks.
  for (const search of [/from "subscriptions"\s+where .* not in/s, /recursive hosts/])
    expect(queries.filter((sql) => search.test(sql)).length).toBeLessThanOrEqual(2 * seconds + 6)
})

test('a moved clock leases the webhooks of one event together, and calls one after the other', async () => {
  const sink = await openSink()
  const triggers = ['payment', 'payment_success', 'recurring_success'] as const
  const webhooks = triggers.map((trigger) => ({
    name: trigger,
    trigger,
    url: `${sink.url}/${trigger}`,
  }))
  shop = await openShop({ merchants: [{ ...MERCHANT, settings: { webhooks } }] }, undefined, sink)
  const { id: plan_id } = await newPlan(shop)
  await shop.post('/v1/transactions', payment({ plan_id, amount: '99.00' }))
  await shop.attempted(2)
  let [running, most] = [0, 0]
  sink.answer(async (response) => {
    most = Math.max(most, ++running)
    await pause(5)
    running -= 1
    response.end()
  })
  const asked = vi.spyOn(SqliteExecutor.prototype, 'executeQuery')
  const { happened } = await shop.gateway.clock.advance({ days: 31 })
  const leases = asked.mock.calls.filter(([{ sql }]) => /set "lease_owner" = \?, /.test(sql))
  asked.mockRestore()
  expect(happened.map(({ kind, facts }) => facts?.trigger ?? kind)).toEqual(['charge', ...triggers])
  expect(sink.received.slice(-3).map(({ path }) => path.split('/').at(-1))).toEqual(triggers)
  expect({ most, leases: leases.length }).toEqual({ most: 1, leases: 1 })
})
