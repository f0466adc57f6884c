import { expect, onTestFinished, test } from 'vitest'
import { payment, startGateway } from '../../helpers/gateway.ts'
import { until } from '../../helpers/sink.ts'
import { onBothDatabases, type Shop } from './shop.ts'

onBothDatabases((openShop) => {
  test('webhook rule 22: a gateway whose lease has expired does not store the result of its call', async () => {
    const shop = await openShop()
    const { sink, gateway, database } = shop
    let answer: () => void = () => {}
    sink.answer((response) => {
      answer = () => void response.end()
    })
    await shop.pay()
    await sink.calls(1)
    await database.db.updateTable('webhook_deliveries').set({ lease_owner: 'another' }).execute()
    const closed = gateway.close()
    answer()
    await closed
    expect(await shop.deliveries()).toMatchObject([
      { status: 'pending', attempts: 0, lease_owner: 'another' },
    ])
    expect(await shop.attempts()).toEqual([])
  })

  test('webhook rule 30: two gateways send each delivery once', async () => {
    const shop = await openShop()
    const second = await startGateway({ database: shop.target, seed: 'second', webhooks: {} })
    onTestFinished(second.close)
    const all = Array.from({ length: 30 }, (_, order) => {
      const webhook = JSON.stringify({ trigger: 'payment', url: shop?.sink.url })
      return (order % 2 ? second : (shop as Shop)).post('/v1/transactions', payment({ webhook }))
    })
    await Promise.all(all)
    await until(async () =>
      (await shop?.deliveries())?.every(({ status }) => status === 'delivered'),
    )
    const ids = shop.sink.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(30)
    expect(new Set(ids).size).toBe(30)
  })

  test('webhook rule 22: a webhook that a killed gateway was sending is sent again after its lease, as the same attempt', async () => {
    const shop = await openShop({ webhooks: { call: false } })
    await shop.pay()
    const killed = { lease_owner: 'killed', lease_until: shop.clock.now() + 105_000 }
    await shop.database.db.updateTable('webhook_deliveries').set(killed).execute()
    const next = await startGateway({
      database: shop.target,
      seed: 'next',
      clock: shop.clock,
      webhooks: {},
    })
    onTestFinished(next.close)
    await next.gateway.clock.advance({ seconds: 10 })
    expect(shop.sink.received).toHaveLength(0)
    shop.clock.advance(105_000)
    await next.gateway.clock.advance({ seconds: 1 })
    const [call] = await shop.sink.calls(1)
    expect(call?.headers['webhook-attempt']).toBe('1')
  })
})
