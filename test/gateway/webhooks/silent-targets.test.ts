import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { newDeliveryRows } from '../../../mock-gateway/outbox/new-delivery-rows.ts'
import { insertDeliveries } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { MERCHANT, payment, seededBytes, startGateway } from '../../helpers/gateway.ts'
import { openSink, until } from '../../helpers/sink.ts'
import { onBothDatabases, type Shop } from './shop.ts'

let shop: Shop | undefined
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await shop?.close()
})

const HTTP = {
  type: 'CustomHttp',
  trigger: 'payment',
  http_method: 'post',
  data_format: 'json',
  email: null,
} as const

onBothDatabases((openShop) => {
  test('webhook rule 21: two hundred shops that hang do not delay payments', async () => {
    shop = await openShop({ webhooks: { call: false } })
    await shop.pay()
    const [row] = await shop.deliveries()
    if (!row) throw new Error('There is no delivery')
    const { id: _id, ...one } = row
    const hanging = await openSink(undefined, '0.0.0.0')
    closing.push(hanging.close)
    hanging.answer(() => {})
    const { port } = new URL(hanging.url)
    // Each host gets four calls in parallel.
    const hosts = Array.from({ length: 50 }, (_host, index) => `127.0.1.${index + 1}:${port}`)
    const copies = hosts.flatMap((host) =>
      Array.from({ length: 4 }, () => ({
        ...one,
        transaction_id: null,
        host,
        url: `http://${host}/`,
      })),
    )
    await shop.database.write((queries) => insertDeliveries(queries, copies))
    const next = await startGateway({
      database: shop.target,
      seed: 'next',
      clock: shop.clock,
      webhooks: {},
    })
    closing.push(next.close)
    await hanging.calls(200)
    for (const { post } of [shop, next])
      expect((await post('/v1/transactions', payment())).status).toBe(200)
    // All targets still hang, and no payment waited for them.
    expect(hanging.received).toHaveLength(200)
    hanging.server.closeAllConnections()
  })

  test('webhook rule 28: a shop that does not answer does not delay webhooks to other shops', async () => {
    shop = await openShop()
    shop.sink.answer(() => {})
    for (let order = 0; order < 12; order++) await shop.pay()
    const quick = await openSink(undefined, '0.0.0.0')
    closing.push(quick.close)
    const { port } = new URL(quick.url)
    for (let n = 1; n <= 9; n++) await shop.pay({ url: `http://127.0.0.${n}:${port}/` })
    await quick.calls(9)
    // Of the twelve hanging calls, four run in parallel.
    await shop.sink.calls(4)
    await pause(50)
    expect(shop.sink.received).toHaveLength(4)
    shop.sink.server.closeAllConnections()
  })

  test('silent shops of one merchant do not delay webhooks of another merchant, at the same host or at hundreds of hosts', async () => {
    const rival = { ...MERCHANT, id: 2 }
    const sink = await openSink(undefined, '0.0.0.0')
    sink.answer((response, { path }) => void (path === '/heard' && response.end()))
    shop = await openShop({ merchants: [MERCHANT, rival], webhooks: { call: false } }, sink)
    const { port } = new URL(sink.url)
    const now = shop.clock.now()
    const due = (merchantId: number, urls: readonly string[]) =>
      newDeliveryRows(
        { merchantId, id: seededBytes(`event ${merchantId}`)(12), now, dueAt: now },
        urls.map((url) => ({
          ...HTTP,
          url,
          transaction_id: null,
          webhook_id: null,
          template: null,
          body: '{}',
        })),
      )
    const own = Array.from({ length: 12 }, () => `http://127.0.0.1:${port}/silent`)
    const hundreds = Array.from(
      { length: 800 },
      (_, n) => `http://127.0.1.${1 + (n % 200)}:${port}/silent`,
    )
    const heard = `http://127.0.0.1:${port}/heard`
    const rows = [...due(1, [...own, ...hundreds]), ...due(2, [heard])]
    await shop.database.write((queries) => insertDeliveries(queries, rows))
    const next = await startGateway({
      database: shop.target,
      seed: 'next',
      clock: shop.clock,
      webhooks: {},
    })
    closing.push(next.close)
    const heardTimes = (count: number) =>
      until(async () => sink.received.filter(({ path }) => path === '/heard').length === count)
    await heardTimes(1)
    const webhook = JSON.stringify({ trigger: 'payment', url: heard })
    await next.as(rival).post('/v1/transactions', payment({ webhook }))
    await heardTimes(2)
    sink.server.closeAllConnections()
  })
})
