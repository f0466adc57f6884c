import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { freshDeliveries } from '../../../mock-gateway/outbox/fresh-deliveries.ts'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { findDueDeliveries, insertDeliveries } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { MERCHANT, payment, prepared, seededBytes, startGateway } from '../../helpers/gateway.ts'
import { openSink, until } from '../../helpers/sink.ts'
import { controlOf } from '../web/control/client.ts'
import { onBothDatabases, type Shop } from './shop.ts'

let shop: Shop | undefined
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await shop?.close()
})

const CARD = { card_number: '4111111111111111', card_holder: 'A B', card_expiry: '1230', card_cvv: '200' }
const HTTP = { type: 'CustomHttp', trigger: 'payment', http_method: 'post', data_format: 'json', email: null } as const
const delivered = (open: Shop) =>
  until(async () => {
    const rows = await open.deliveries()
    return rows.length > 0 && rows.every(({ status }) => status !== 'pending') && rows
  })

/** Deliveries that wait, of webhook rule 32; `npm run lab -- crash --pending 1000000` takes more. */
const PENDING = Number(process.env.TEST_PENDING ?? 8_000)
const IS_LONG = process.env.TEST_PENDING !== undefined

/** Rows of one statement. */
const STEP = 20_000

/** Copies the deliveries for these hosts again and again, until there are so many. */
async function double({ db }: Database, hosts: readonly string[], count: number) {
  const columns = sql.join(
    Object.keys((await db.selectFrom('webhook_deliveries').selectAll().executeTakeFirst()) ?? {})
      .filter((name) => name !== 'id')
      .map((name) => sql.ref(name)),
  )
  for (let there = hosts.length; there < count; there += Math.min(there, STEP))
    await sql`insert into webhook_deliveries (${columns}) select ${columns} from webhook_deliveries
      where host in (${sql.join(hosts)}) limit ${Math.min(there, STEP, count - there)}`.execute(db)
  if (IS_LONG) await sql`analyze`.execute(db)
}

onBothDatabases((openShop) => {
  describe('webhook rule 16: triggers', () => {
    const OUTCOMES = {
      approved: {},
      authorized: { authorize: true },
      declined: { card_cvv: '201' },
      failed: { 'metadata[service_instructions][fail_as_code]': 'errors.service_not_available' },
    }
    const FIRES: Readonly<Record<string, readonly (keyof typeof OUTCOMES)[]>> = {
      payment: ['approved', 'authorized', 'declined', 'failed'],
      payment_success: ['approved', 'authorized'],
      payment_error: ['declined', 'failed'],
      refund: [],
      recurring_success: [],
      payment_form: [],
      stored_card: [],
    }
    test('each fires for the outcomes it waits for, and for no others', async () => {
      shop = await openShop()
      for (const [trigger, outcomes] of Object.entries(FIRES))
        for (const [outcome, fields] of Object.entries(OUTCOMES)) {
          const before = (await shop.deliveries()).length
          await shop.pay({ trigger }, fields)
          const fresh = (await shop.deliveries()).slice(before)
          expect([trigger, outcome, fresh.map((row) => JSON.parse(row.body).status)]).toEqual([
            trigger,
            outcome,
            outcomes.includes(outcome as keyof typeof OUTCOMES) ? [outcome] : [],
          ])
        }
    })

    test('a page whose time is over is an outcome, which no form has brought about', async () => {
      shop = await openShop()
      const { url } = shop.sink
      const triggers = Object.keys(FIRES).map((trigger) => ({ trigger, url }))
      await shop.post('/v1/transactions', prepared({ webhook: JSON.stringify(triggers) }))
      await shop.gateway.clock.advance({ seconds: 6000 })
      const told = (await shop.deliveries()).map(({ trigger, body }) => `${trigger} ${JSON.parse(body).status}`)
      expect(told).toEqual(['payment failed', 'payment_error failed'])
    })

    test('payment again after a capture, refund after a refund, both with the transaction', async () => {
      shop = await openShop()
      const url = shop.sink.url
      const webhook = JSON.stringify([
        { trigger: 'payment', url },
        { trigger: 'refund', url, data_format: 'form_data' },
      ])
      const { body: paid } = await shop.post('/v1/transactions', payment({ authorize: true, webhook }))
      await shop.put(`/v1/transactions/${paid.id}/capture`, { amount: '10.00' })
      await shop.post('/v1/refunds', { transaction_id: paid.id, amount: '4.00', reason: 'Broken' })
      const calls = await shop.sink.calls(3)
      expect(calls.slice(0, 2).map(({ body }) => JSON.parse(body).status)).toEqual(['authorized', 'approved'])
      const refund = new URLSearchParams(calls[2]?.body)
      expect([refund.get('id'), refund.get('status')]).toEqual([String(paid.id), 'approved'])
      expect(JSON.parse(refund.get('refunds') ?? '')).toMatchObject([{ amount: '4.00', reason: 'Broken' }])
    })
  })

  test('webhook rule 17: each spelling of a webhook is called, and one that fails is no harm to the others', async () => {
    shop = await openShop()
    const { url } = shop.sink
    const wrong = { trigger: 'payment', url: 'http://127.0.0.1:1/' }
    const right = { trigger: 'payment', url }
    for (const fields of [
      { webhook: JSON.stringify(right) },
      { webhook: JSON.stringify([wrong, right]) },
      { webhooks: JSON.stringify(right) },
      { 'webhook[trigger]': 'payment', 'webhook[url]': url },
    ])
      expect((await shop.post('/v1/transactions', payment(fields))).body.status).toBe('approved')
    await shop.sink.calls(4)
    const rows = await delivered(shop)
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'failed', 'delivered', 'delivered', 'delivered'])
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
    expect(calls.map(({ path }) => path).sort()).toEqual(['/hook?account', '/hook?card', '/hook?own'])
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
    expect((await shop.get(path)).body).toMatchObject({ trigger: 'payment', response: { code: 200 } })
    expect(await shop.as(other).get(path)).toMatchObject({ status: 404, body: { code: 204 } })
    expect((await shop.as(other).get('/v1/webhooks')).body).toEqual([])
  })

  test('webhook rule 20: a handler that calls GET back sees the final state', async () => {
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
    await delivered(shop)
    expect(seen).toEqual(Array(20).fill([200, 'approved']))
  })

  test('webhook rule 37: the webhook before the redirect, and the redirect before the webhook: both see the final state', async () => {
    shop = await openShop()
    const { get, post, send, sink } = shop
    const webhook = JSON.stringify({ trigger: 'payment', url: sink.url })
    const statusOf = async (id: number) => (await get<Transaction>(`/v1/transactions/${id}`)).body.status
    for (const first of ['webhook', 'redirect']) {
      const heard = Promise.withResolvers<string>()
      const redirected = Promise.withResolvers<void>()
      sink.answer(async (response, { body }) => {
        if (first === 'redirect') await redirected.promise
        heard.resolve(await statusOf(JSON.parse(body).id))
        response.end()
      })
      const { body: order } = await post<Transaction>('/v1/transactions', prepared({ webhook }))
      const page = await send('POST', new URL(order.href).pathname, String(new URLSearchParams(CARD)))
      if (first === 'webhook') expect(await heard.promise).toBe('approved')
      const back = new URL(page.headers.get('location') ?? '')
      expect([back.searchParams.get('status'), await statusOf(order.id)]).toEqual(['approved', 'approved'])
      redirected.resolve()
      expect(await heard.promise).toBe('approved')
    }
  })

  test('webhook rule 21: payments do not wait for two hundred targets that hang', async () => {
    shop = await openShop({ webhooks: { call: false } })
    await shop.pay()
    const [row] = await shop.deliveries()
    if (!row) throw new Error('There is no delivery')
    const { id: _id, ...one } = row
    const hanging = await openSink(undefined, '0.0.0.0')
    closing.push(hanging.close)
    hanging.answer(() => {})
    const { port } = new URL(hanging.url)
    // Four of each host are called at once.
    const hosts = Array.from({ length: 50 }, (_host, index) => `127.0.1.${index + 1}:${port}`)
    const copies = hosts.flatMap((host) =>
      Array.from({ length: 4 }, () => ({ ...one, transaction_id: null, host, url: `http://${host}/` })),
    )
    await shop.database.write((queries) => insertDeliveries(queries, copies))
    const next = await startGateway({ database: shop.target, seed: 'next', clock: shop.clock, webhooks: {} })
    closing.push(next.close)
    await hanging.calls(200)
    for (const { post } of [shop, next]) expect((await post('/v1/transactions', payment())).status).toBe(200)
    // All hang still: no payment waited for them.
    expect(hanging.received).toHaveLength(200)
    hanging.server.closeAllConnections()
  })

  test('webhook rule 28: shops that answer do not wait for one that does not', async () => {
    shop = await openShop()
    shop.sink.answer(() => {})
    for (let order = 0; order < 12; order++) await shop.pay()
    const quick = await openSink(undefined, '0.0.0.0')
    closing.push(quick.close)
    const { port } = new URL(quick.url)
    for (let n = 1; n <= 9; n++) await shop.pay({ url: `http://127.0.0.${n}:${port}/` })
    await quick.calls(9)
    // Of the twelve that hang four are called at once.
    await shop.sink.calls(4)
    await pause(50)
    expect(shop.sink.received).toHaveLength(4)
    shop.sink.server.closeAllConnections()
  })

  test('nor does one merchant for the silent receivers of another, at the same host or at hundreds of others', async () => {
    const rival = { ...MERCHANT, id: 2 }
    const sink = await openSink(undefined, '0.0.0.0')
    sink.answer((response, { path }) => void (path === '/heard' && response.end()))
    shop = await openShop({ merchants: [MERCHANT, rival], webhooks: { call: false } }, sink)
    const { port } = new URL(sink.url)
    const now = shop.clock.now()
    const due = (merchantId: number, urls: readonly string[]) =>
      freshDeliveries(
        { merchantId, id: seededBytes(`event ${merchantId}`)(12), now, dueAt: now },
        urls.map((url) => ({ ...HTTP, url, transaction_id: null, webhook_id: null, template: null, body: '{}' })),
      )
    const own = Array.from({ length: 12 }, () => `http://127.0.0.1:${port}/silent`)
    const hundreds = Array.from({ length: 800 }, (_, n) => `http://127.0.1.${1 + (n % 200)}:${port}/silent`)
    const heard = `http://127.0.0.1:${port}/heard`
    const rows = [...due(1, [...own, ...hundreds]), ...due(2, [heard])]
    await shop.database.write((queries) => insertDeliveries(queries, rows))
    const next = await startGateway({ database: shop.target, seed: 'next', clock: shop.clock, webhooks: {} })
    closing.push(next.close)
    const heardTimes = (count: number) =>
      until(async () => sink.received.filter(({ path }) => path === '/heard').length === count)
    await heardTimes(1)
    const webhook = JSON.stringify({ trigger: 'payment', url: heard })
    await next.as(rival).post('/v1/transactions', payment({ webhook }))
    await heardTimes(2)
    sink.server.closeAllConnections()
  })

  test('webhook rule 29: a gateway that ends lets a running call end, and the next start sends nothing twice', async () => {
    shop = await openShop()
    const { sink, gateway } = shop
    let answer: () => void = () => {}
    sink.answer((response) => {
      answer = () => void response.end()
    })
    await shop.pay()
    await sink.calls(1)
    const closed = gateway.close()
    answer()
    await closed
    expect(await shop.deliveries()).toMatchObject([{ status: 'delivered', attempts: 1, lease_until: null }])
  })

  test('webhook rule 29: what stands in line when a gateway ends is given back', async () => {
    shop = await openShop()
    const answers: (() => void)[] = []
    shop.sink.answer((response) => void answers.push(() => response.end()))
    for (let order = 0; order < 6; order++) await shop.pay()
    await shop.sink.calls(4)
    const closed = shop.gateway.close()
    for (const answer of answers) answer()
    await closed
    const rest = { status: 'pending', attempts: 0, lease_until: null }
    expect(await shop.deliveries()).toMatchObject([...Array(4).fill({ status: 'delivered' }), rest, rest])
    expect(shop.sink.received).toHaveLength(4)
  })

  test('webhook rule 22: what came of a call is not kept by who has lost its lease meanwhile', async () => {
    shop = await openShop()
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
    expect(await shop.deliveries()).toMatchObject([{ status: 'pending', attempts: 0, lease_owner: 'another' }])
    expect(await shop.attempts()).toEqual([])
  })

  test('webhook rule 30: two gateways send each delivery once', async () => {
    shop = await openShop()
    const second = await startGateway({ database: shop.target, seed: 'second', webhooks: {} })
    closing.push(second.close)
    const all = Array.from({ length: 30 }, (_, order) => {
      const webhook = JSON.stringify({ trigger: 'payment', url: shop?.sink.url })
      return (order % 2 ? second : (shop as Shop)).post('/v1/transactions', payment({ webhook }))
    })
    await Promise.all(all)
    await until(async () => (await shop?.deliveries())?.every(({ status }) => status === 'delivered'))
    const ids = shop.sink.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(30)
    expect(new Set(ids).size).toBe(30)
  }, 60_000)

  test('webhook rule 22: what a killed gateway was sending is sent again after its lease, as the same attempt', async () => {
    shop = await openShop({ webhooks: { call: false } })
    await shop.pay()
    const killed = { lease_owner: 'killed', lease_until: shop.clock.now() + 105_000 }
    await shop.database.db.updateTable('webhook_deliveries').set(killed).execute()
    const next = await startGateway({ database: shop.target, seed: 'next', clock: shop.clock, webhooks: {} })
    closing.push(next.close)
    await next.gateway.clock.advance({ seconds: 10 })
    expect(shop.sink.received).toHaveLength(0)
    shop.clock.advance(105_000)
    await next.gateway.clock.advance({ seconds: 1 })
    const [call] = await shop.sink.calls(1)
    expect(call?.headers['webhook-attempt']).toBe('1')
  })

  test(`webhook rule 32: among ${PENDING} that wait the next are found at once`, async () => {
    shop = await openShop({ webhooks: { call: false } })
    await shop.pay()
    const { database } = shop
    const [row] = await shop.deliveries()
    if (!row) throw new Error('There is no delivery')
    const { id: _id, ...one } = row
    const due_at = row.due_at ?? 0
    // Half of them are due and were not taken for days, the others fall due later.
    const copies = [
      { ...one, transaction_id: null, body: '{}', host: 'dead:1' },
      { ...one, transaction_id: null, body: '{}', host: 'later:1', due_at: due_at + 1e9 },
    ]
    await database.write((queries) => insertDeliveries(queries, copies))
    await double(database, ['dead:1', 'later:1'], PENDING)
    const look = { scope: { until: due_at }, types: ['CustomHttp'], machineNow: shop.clock.now(), limit: 256 }
    const began = performance.now()
    const found = await findDueDeliveries(database.db, look)
    if (IS_LONG)
      process.stdout.write(`${database.dialect}: ${(performance.now() - began).toFixed(1)} ms among ${PENDING}\n`)
    expect([found.length, found[0]?.id]).toEqual([256, row.id])
    await database.db.deleteFrom('webhook_bodies').execute()
    for (let from = 0; from < PENDING; from += STEP)
      await database.db
        .deleteFrom('webhook_deliveries')
        .where('id', '<=', from + STEP + 10)
        .execute()
  }, 600_000)

  test('webhook rule 31: a clock that jumps brings every retry once, in order', async () => {
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

  test('webhook rule 31: what stands in line is sent before a clock goes on', async () => {
    shop = await openShop()
    const { pay } = shop
    shop.sink.answer(500, (response) => pause(20).then(() => void response.end()))
    await shop.pay()
    const [{ created_at: start } = { created_at: 0 }] = await shop.attempted(1)
    await Promise.all(Array.from({ length: 40 }, () => pay()))
    const { happened } = await shop.gateway.clock.advance({ days: 1 })
    const attempts = await shop.attempts()
    expect(happened).toHaveLength(1)
    expect(attempts.map(({ created_at }) => created_at)).toEqual([...Array(41).fill(start), happened[0]?.at])
  })

  describe('webhook rule 34: a webhook before the payment', () => {
    test('that answers 2xx lets it go on; it sees the transaction before, without an id when it is new', async () => {
      shop = await openShop()
      const paid = await shop.pay({ trigger: 'before_payment' })
      expect(paid.status).toBe('approved')
      const [call] = shop.sink.received
      expect(JSON.parse(call?.body ?? '')).toMatchObject({ id: null, status: 'pending', payment_ref: paid.payment_ref })
    })

    test('that fails refuses it with 193, and nothing is kept', async () => {
      shop = await openShop()
      shop.sink.answer(404)
      const fields = payment({
        webhook: JSON.stringify({ trigger: 'before_payment', url: `${shop.sink.url}?key=secret` }),
      })
      const answer = await shop.post('/v1/transactions', fields)
      expect(answer).toMatchObject({ status: 400, body: { code: 193, name: 'errors.webhook.failed' } })
      expect(answer.headers.get('mondido-explain')).toMatch(/answered status 404$/)
      expect(answer.headers.get('mondido-explain')).not.toContain('secret')
      expect((await shop.get('/v1/transactions', { 'filter[payment_ref]': fields.payment_ref })).body).toEqual([])
    })

    test('is kept with what it answered, like every other, whether the payment went on or not', async () => {
      const template = { name: 'stock', trigger: 'before_payment', url: 'http://127.0.0.1:1/' }
      shop = await openShop({
        merchants: [
          { ...MERCHANT, settings: { webhooks: [template], administrators: [{ email: 'kim@example.org' }] } },
        ],
      })
      const control = controlOf(shop.gateway)
      const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
      const refused = await shop.post('/v1/transactions', payment({ webhook }))
      expect(refused.body).toMatchObject({ code: 193 })
      const all = '/webhooks/deliveries?trigger=before_payment'
      const { body: kept } = await control.get<object[]>(all)
      expect(kept).toMatchObject([
        { template: 'stock', transaction_id: null, status: 'failed', attempts: 1, due_at: null },
        { template: null, transaction_id: null, status: 'delivered', attempts: 1, due_at: null },
      ])
      // The last is the alert.
      expect(await shop.attempted(3)).toMatchObject([
        { outcome: 'delivered', request_body: shop.sink.received[0]?.body, response: { code: 200, body: 'ok' } },
        { outcome: 'failed', response: { code: null, error: expect.stringContaining('ECONNREFUSED') } },
        { outcome: 'delivered', request_body: expect.stringContaining('before_payment') },
      ])
      expect(await shop.notifications()).toMatchObject([{ kind: 'webhook_failed', delivery_id: 2 }])
      expect((await shop.deliveries()).map(({ trigger }) => trigger).at(-1)).toBe('alert')
    })

    test('shows its answer in the webhook of the transaction, at once and when it is read again', async () => {
      shop = await openShop()
      const paid = await shop.pay({ trigger: 'before_payment' })
      const shown = { request_body: shop.sink.received[0]?.body, response: { code: 200, body: 'ok', error: null } }
      expect(paid.webhooks).toMatchObject([shown])
      expect(await shop.webhook(paid)).toMatchObject(shown)
      expect(await shop.deliveries()).toMatchObject([{ transaction_id: paid.id, webhook_id: paid.webhooks[0]?.id }])
    })

    test('refuses it by the rule that a refusal names; a success is a yes, whatever it names', async () => {
      shop = await openShop()
      const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
      for (const [status, rule, body] of [
        [400, 'skip_webhook', { code: 2610 }],
        [500, 'declined', { code: 261 }],
        [200, 'skip_webhook', { status: 'approved' }],
        [200, 'declined', { status: 'approved' }],
      ] as const) {
        shop.sink.answer((response) => void response.writeHead(status).end(`{"name":"errors.rules_parser.${rule}"}`))
        expect((await shop.post('/v1/transactions', payment({ webhook }))).body).toMatchObject(body)
      }
    })

    test('is asked as well when the payer pays on the page, and not when an order is only prepared', async () => {
      shop = await openShop()
      shop.sink.answer(500, 200)
      const webhook = JSON.stringify({ trigger: 'before_payment', url: shop.sink.url })
      const { body: order } = await shop.post<Transaction>('/v1/transactions', prepared({ webhook }))
      expect(shop.sink.received).toHaveLength(0)
      expect((await shop.put(`/v1/transactions/${order.id}`, CARD)).body).toMatchObject({ code: 193 })
      expect((await shop.get(`/v1/transactions/${order.id}`)).body).toMatchObject({ status: 'pending' })
      await shop.send('POST', new URL(order.href).pathname, String(new URLSearchParams(CARD)))
      expect((await shop.get(`/v1/transactions/${order.id}`)).body).toMatchObject({ status: 'approved' })
      expect(JSON.parse(shop.sink.received[1]?.body ?? '')).toMatchObject({ id: order.id, status: 'pending' })
    })
  })

  test('webhook rule 35: a notification has no secrets of the address, and no card number', async () => {
    shop = await openShop()
    shop.sink.answer(403)
    await shop.pay({ url: `${shop.sink.url}?token=hush&b=1` })
    await shop.attempted(1)
    const [notice] = await shop.notifications()
    expect(notice?.message).toMatch(/\/hook\?token=\*\*\*&b=\*\*\*: 403: the shop wants a login/)
    expect(JSON.stringify(notice)).not.toMatch(/hush|4111/)
  })

  describe('a handler is tested with what no shop likes', () => {
    const opened = (webhook_delivery: object) =>
      openShop({ merchants: [{ ...MERCHANT, settings: { webhook_delivery } }] })

    test('duplicates have the same webhook-id and body', async () => {
      shop = await opened({ duplicates: 2 })
      await shop.pay()
      const calls = await shop.sink.calls(3)
      expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    })

    test('a duplicate comes minutes later', async () => {
      shop = await opened({ duplicates: 1, duplicates_after: 300 })
      await shop.pay()
      await shop.gateway.clock.advance({ seconds: 299 })
      expect(shop.sink.received).toHaveLength(1)
      await shop.gateway.clock.advance({ seconds: 1 })
      expect(new Set((await shop.sink.calls(2)).map(({ body }) => body)).size).toBe(1)
    })

    test('a delay passes before the first attempt', async () => {
      shop = await opened({ delay: 60 })
      await shop.pay()
      await shop.gateway.clock.advance({ seconds: 59 })
      expect(shop.sink.received).toHaveLength(0)
      await shop.gateway.clock.advance({ seconds: 1 })
      expect(shop.sink.received).toHaveLength(1)
    })

    test('reordered: the capture is told before the reservation', async () => {
      shop = await opened({ reorder: true })
      const { id } = await shop.pay({}, { authorize: true })
      await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })
      await shop.attempted(1)
      await shop.gateway.clock.advance({ seconds: 10 })
      expect(shop.sink.received.map(({ body }) => JSON.parse(body).status)).toEqual(['approved', 'authorized'])
    })

    test('reordered: an alert to an administrator is no event of the payment, and turns nothing round', async () => {
      const settings = { webhook_delivery: { reorder: true }, administrators: [{ email: 'kim@example.org' }] }
      shop = await openShop({ merchants: [{ ...MERCHANT, settings }] })
      shop.sink.answer(404)
      const { id } = await shop.pay({}, { authorize: true })
      await shop.gateway.clock.advance({ seconds: 10 })
      await shop.attempted(2)
      await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })
      expect((await shop.deliveries()).find(({ trigger, id }) => trigger === 'payment' && id > 1)?.due_at).toBe(
        shop.gateway.clock.now(),
      )
    })
  })
})
