import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOCK_MS } from '../../../mock-gateway/merchants/guesses.ts'
import {
  CARD,
  encode,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { memoryPlace, onSlowDatabases, type Place } from '../storage/databases.ts'
import { cardOf, pathOf, payerAt } from '../three-d-secure/payer.ts'
import { openShop } from '../webhooks/shop.ts'

const DAY = 86_400_000
const WHEN = Date.UTC(2027, 0, 31, 12)

/** Formats a time like the API's answers. */
const seconds = (at: number) => new Date(at).toISOString().replace('.000', '')

let shop: TestGateway
let merchantId = 0

/**
 * Stops the clock of another merchant at `WHEN` for each test. The common clock is ten months
 * behind.
 */
async function begin() {
  merchantId += 1
  await shop.gateway.clock.freeze(WHEN, { merchant: merchantId })
  const client = shop.as({ ...MERCHANT, id: merchantId })
  const post = async <Body = Record<string, unknown>>(path: string, fields: Fields) =>
    (await client.post<Body>(path, fields)).body
  const advance = (by: { days?: number; seconds?: number; months?: number }) =>
    shop.gateway.clock.advance(by, { merchant: merchantId })
  return { client, post, advance }
}

const PLAN = {
  name: 'Monthly',
  interval: 1,
  interval_unit: 'months',
  prices: '{"sek":"10.00"}',
  periods: 0,
}

type Dated = Record<string, string>

/**
 * Dates that follow the clock of their merchant, each with a test. Add every new date here. Leases,
 * deadlines of HTTP calls and console sessions follow the machine's clock on purpose.
 */
const HANGS: Readonly<Record<string, (its: Awaited<ReturnType<typeof begin>>) => Promise<void>>> = {
  async 'created_at and processed_at of a transaction'({ post }) {
    const { created_at, processed_at } = await post<Dated>('/v1/transactions', payment())
    expect([created_at, processed_at]).toEqual([seconds(WHEN), seconds(WHEN)])
  },
  async 'processed_at when a transaction is paid later'({ client, post, advance }) {
    const { id } = await post('/v1/transactions', prepared())
    await advance({ days: 3 })
    const fields = {
      ...payment(),
      process: true,
      payment_ref: undefined,
      amount: undefined,
      currency: undefined,
      test: undefined,
    }
    const { body } = await client.put<Dated>(`/v1/transactions/${id}`, fields)
    expect([body.created_at, body.processed_at]).toEqual([seconds(WHEN), seconds(WHEN + 3 * DAY)])
  },
  async 'log events of a transaction'({ client, post }) {
    const { id } = await post('/v1/transactions', payment())
    const { body } = await client.get<{ log_events: { created_at: string }[] }>(
      `/v1/transactions/${id}`,
      { extend: 'log_events' },
    )
    const dates = new Set((body.log_events ?? []).map(({ created_at }) => created_at))
    expect([...dates]).toEqual([seconds(WHEN)])
  },
  async 'created_at of a refund'({ post }) {
    const { id } = await post<{ id: number }>('/v1/transactions', payment())
    const refund = await post<Dated>('/v1/refunds', {
      transaction_id: id,
      amount: '1.00',
      reason: 'broken',
    })
    expect(refund.created_at).toBe(seconds(WHEN))
  },
  async 'created_at of a stored card'({ client, post }) {
    await post('/v1/transactions', payment({ store_card: true }))
    const { body } = await client.get<Dated[]>('/v1/stored_cards')
    expect(body.map(({ created_at }) => created_at)).toEqual([seconds(WHEN)])
  },
  async 'the expiry of a card that is typed'({ post, advance }) {
    const card = { card_expiry: '0127' }
    expect((await post('/v1/transactions', payment(card))).status).toBe('approved')
    await advance({ days: 1 })
    expect((await post('/v1/transactions', payment(card))).code).toBe(130)
  },
  async 'the expiry of a stored card'({ client, post, advance }) {
    await post('/v1/transactions', payment({ store_card: true, card_expiry: '0127' }))
    const { body } = await client.get<Dated[]>('/v1/stored_cards')
    const again = () =>
      post(
        '/v1/transactions',
        payment({
          card_number: body[0]?.token,
          card_type: 'stored_card',
          card_expiry: undefined,
          card_holder: undefined,
          card_cvv: undefined,
        }),
      )
    expect((await again()).status).toBe('approved')
    await advance({ days: 1 })
    expect((await again()).code).toBe(130)
  },
  async 'the lock of a login'({ client, advance }) {
    const wrong = { authorization: `Basic ${btoa(`${merchantId}:wrong`)}` }
    for (let time = 0; time < 10; time++) await shop.browser.get('/v1/transactions', {}, wrong)
    expect((await client.get('/v1/transactions')).body.code).toBe(207)
    await advance({ seconds: LOCK_MS / 1000 })
    expect((await client.get('/v1/transactions')).status).toBe(200)
  },
  async 'the time that a payer has to answer in an app'({ client, post, advance }) {
    const { id } = await post(
      '/v1/transactions',
      prepared({ payment_method: 'paypal', process: true }),
    )
    await advance({ seconds: 15 * 60 - 1 })
    expect((await client.get(`/v1/transactions/${id}`)).body.status).toBe('pending')
    await advance({ seconds: 1 })
    expect((await client.get(`/v1/transactions/${id}`)).body.status).toBe('failed')
  },
  async 'the time of a payment page, and what it shows'({ client, post, advance }) {
    const { id, href } = await post<{ id: number; href: string }>('/v1/transactions', prepared())
    const open = () => shop.browser.get<string>(new URL(href).pathname)
    expect((await open()).body).toMatch(/data-month="2027-01"[\s\S]*data-expiry="12\/30"/)
    await advance({ seconds: 90 * 60 - 1 })
    expect((await open()).body).toContain('data-seconds="1"')
    await advance({ seconds: 1 })
    expect((await open()).status).toBe(410)
    expect((await client.get(`/v1/transactions/${id}`)).body.error).toMatchObject({ code: 1280 })
  },
  async 'the time that a payer has at the bank'({ client, post, advance }) {
    const { id, href } = await post<{ id: number; href: string }>(
      '/v1/transactions',
      prepared({ process: false }),
    )
    const challenged = encode({ ...CARD, card_number: cardOf(10) })
    const { headers } = await shop.browser.send('POST', new URL(href).pathname, challenged)
    const bank = await payerAt(shop).open(pathOf(headers.get('location')))
    expect(bank.status).toBe(200)
    const { happened } = await advance({ days: 1 })
    expect(happened).toMatchObject([{ at: WHEN + 10 * 60_000, kind: 'authentication' }])
    expect((await client.get(`/v1/transactions/${id}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 1280 },
    })
    expect((await shop.browser.get(pathOf(bank.address))).status).toBe(303)
  },
  async 'the moments at which a webhook is sent, and tried again'() {
    const { gateway, sink, pay, attempts, attempted, close } = await openShop()
    await gateway.clock.freeze(WHEN, { merchant: MERCHANT.id })
    sink.answer(500)
    await pay()
    await attempted(1)
    await gateway.clock.advance({ days: 10 }, { merchant: MERCHANT.id })
    const moments = (await attempts()).map(({ created_at }) => created_at)
    await close()
    expect(moments).toHaveLength(21)
    expect(moments[0]).toBe(WHEN)
    expect(moments.every((at, index) => index === 0 || at > (moments[index - 1] ?? at))).toBe(true)
  },
  async 'the dates of a subscription, and its charges'({ client, post, advance }) {
    const plan = await post<{ id: number }>('/v1/plans', PLAN)
    await post('/v1/transactions', payment({ plan_id: plan.id, store_card: true }))
    const subscription = async () => (await client.get<Dated[]>('/v1/subscriptions')).body[0] ?? {}
    expect((await subscription()).created_at).toBe(seconds(WHEN))
    const { happened } = await advance({ months: 3 })
    const charges = happened.filter(({ kind }) => kind === 'charge').map(({ at }) => at)
    expect(charges.length).toBeGreaterThan(1)
    const { body } = await client.get<Dated[]>('/v1/transactions', {
      'filter[transaction_type]': 'recurring',
      order_by: 'id:asc',
    })
    expect(body.map(({ created_at }) => created_at)).toEqual(charges.map(seconds))
  },
}

function define(open: () => Promise<Place>) {
  let place: Place
  beforeAll(async () => {
    place = await open()
    merchantId = 0
    const merchants = Array.from({ length: 20 }, (_, index) => ({ ...MERCHANT, id: index + 1 }))
    shop = await startGateway({
      database: place.target,
      merchants: merchants as [typeof MERCHANT, ...(typeof MERCHANT)[]],
    })
  })
  afterAll(async () => {
    await shop.close()
    await place.remove()
  })
  for (const [what, holds] of Object.entries(HANGS))
    test(`the clock of the merchant controls ${what}`, async () => holds(await begin()))
}

describe('SQLite in memory', () => define(memoryPlace))
onSlowDatabases(define)
