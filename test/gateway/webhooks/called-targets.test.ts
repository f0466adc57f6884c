import { afterEach, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { openSink, until } from '../../helpers/sink.ts'
import { onBothDatabases, type Shop } from './shop.ts'

let shop: Shop | undefined
afterEach(() => shop?.close())

const CARD = {
  card_number: '4111111111111111',
  card_holder: 'A B',
  card_expiry: '1230',
  card_cvv: '200',
}

const finishedDeliveries = (open: Shop) =>
  until(async () => {
    const rows = await open.deliveries()
    return rows.length > 0 && rows.every(({ status }) => status !== 'pending') && rows
  })

onBothDatabases((openShop) => {
  test('webhook rule 17: webhooks in each format are called, and a failed one does not affect the others', async () => {
    shop = await openShop()
    const { url } = shop.sink
    const unreachable = { trigger: 'payment', url: 'http://127.0.0.1:1/' }
    const reachable = { trigger: 'payment', url }
    for (const fields of [
      { webhook: JSON.stringify(reachable) },
      { webhook: JSON.stringify([unreachable, reachable]) },
      { webhooks: JSON.stringify(reachable) },
      { 'webhook[trigger]': 'payment', 'webhook[url]': url },
    ])
      expect((await shop.post('/v1/transactions', payment(fields))).body.status).toBe('approved')
    await shop.sink.calls(4)
    const rows = await finishedDeliveries(shop)
    expect(rows.map(({ status }) => status)).toEqual([
      'delivered',
      'failed',
      'delivered',
      'delivered',
      'delivered',
    ])
  })

  test("webhook rule 18: an account's templates and a transaction's webhooks are called once each", async () => {
    const sink = await openSink()
    const webhooks = [
      { name: 'after-payment', trigger: 'payment_success', url: `${sink.url}?account` },
      { name: 'cards', trigger: 'stored_card', url: `${sink.url}?card` },
    ]
    shop = await openShop({ merchants: [{ ...MERCHANT, settings: { webhooks } }] }, sink)
    const paid = await shop.pay({ url: `${sink.url}?own` }, { store_card: true })
    const calls = await sink.calls(3)
    expect(calls.map(({ path }) => path).sort()).toEqual([
      '/hook?account',
      '/hook?card',
      '/hook?own',
    ])
    const card = JSON.parse(calls.find(({ path }) => path.endsWith('card'))?.body ?? '')
    expect(card).toMatchObject({ id: paid.stored_card?.id, token: expect.any(String) })
    expect(JSON.parse(card.transaction)).toMatchObject({ id: paid.id })
  })

  test('webhook rule 19: a webhook of another merchant is not found', async () => {
    const other = { ...MERCHANT, id: 2 }
    shop = await openShop({ merchants: [MERCHANT, other] })
    const paid = await shop.pay()
    await shop.attempted(1)
    const path = `/v1/webhooks/${paid.webhooks[0]?.id}`
    expect((await shop.get(path)).body).toMatchObject({
      trigger: 'payment',
      response: { code: 200 },
    })
    expect(await shop.as(other).get(path)).toMatchObject({ status: 404, body: { code: 204 } })
    expect((await shop.as(other).get('/v1/webhooks')).body).toEqual([])
  })

  test('webhook rule 20: a handler that calls GET sees the final state', async () => {
    shop = await openShop()
    const { get, sink } = shop
    const seen: unknown[] = []
    sink.answer(async (response, { body }) => {
      const { id } = JSON.parse(body)
      const { status, body: found } = await get<Transaction>(`/v1/transactions/${id}`)
      seen.push([status, found.status])
      response.end()
    })
    for (let order = 0; order < 20; order++) await shop.pay()
    await finishedDeliveries(shop)
    expect(seen).toEqual(Array(20).fill([200, 'approved']))
  })

  test('webhook rule 37: the shop sees the final state in both orders of webhook and redirect', async () => {
    shop = await openShop()
    const { get, post, send, sink } = shop
    const webhook = JSON.stringify({ trigger: 'payment', url: sink.url })
    const statusOf = async (id: number) =>
      (await get<Transaction>(`/v1/transactions/${id}`)).body.status
    for (const first of ['webhook', 'redirect']) {
      const statusSeen = Promise.withResolvers<string>()
      const redirected = Promise.withResolvers<void>()
      sink.answer(async (response, { body }) => {
        if (first === 'redirect') await redirected.promise
        statusSeen.resolve(await statusOf(JSON.parse(body).id))
        response.end()
      })
      const { body: order } = await post<Transaction>('/v1/transactions', prepared({ webhook }))
      const page = await send(
        'POST',
        new URL(order.href).pathname,
        String(new URLSearchParams(CARD)),
      )
      if (first === 'webhook') expect(await statusSeen.promise).toBe('approved')
      const back = new URL(page.headers.get('location') ?? '')
      expect([back.searchParams.get('status'), await statusOf(order.id)]).toEqual([
        'approved',
        'approved',
      ])
      redirected.resolve()
      expect(await statusSeen.promise).toBe('approved')
    }
  })

  test('webhook rule 35: a notification contains no secrets of the address, and no card number', async () => {
    shop = await openShop()
    shop.sink.answer(403)
    await shop.pay({ url: `${shop.sink.url}?token=hush&b=1` })
    await shop.attempted(1)
    const [notice] = await shop.notifications()
    expect(notice?.message).toMatch(
      /\/hook\?token=\*\*\*&b=\*\*\*\. Status 403\. The shop wants a login/,
    )
    expect(JSON.stringify(notice)).not.toMatch(/hush|4111/)
  })
})
