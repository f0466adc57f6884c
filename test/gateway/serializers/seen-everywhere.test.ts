import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import {
  CARD,
  encode,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
  type TestMerchant,
} from '../../helpers/gateway.ts'
import { filePlace, type Place } from '../storage/databases.ts'
import { type ConsoleClient, consoleOf, textOf } from '../web/console/client.ts'
import { type ControlClient, controlOf } from '../web/control/client.ts'

const SHOP = {
  ...MERCHANT,
  settings: {
    webhooks: [{ name: 'all', trigger: 'payment', url: 'https://shop.example/hook' } as const],
    rules: [{ name: 'dear', when: { amount_from: '9.00' }, action: 'decline' as const, on: true }],
    fraud_limit: 80,
  },
}
/** Merchant with the same settings, but without rules. */
const OPEN = { ...SHOP, id: 2, settings: { ...SHOP.settings, rules: [] } }

/**
 * Value that only a simulator can cause: the call that causes it, and the places that show it in
 * addition to the API, its lists and webhooks.
 */
interface Point {
  readonly owner: TestMerchant
  readonly make: (world: World) => Promise<number>
  readonly seen: object
  /** Text on the payment's page of the console and in its story. */
  readonly console: RegExp
  readonly story: RegExp
}

interface World {
  readonly shop: TestGateway
  readonly control: ControlClient
}

const asOpen = ({ shop }: World) => shop.as(OPEN)

const POINTS: Readonly<Record<string, Point>> = {
  'a wallet, and the currency that was chosen': {
    owner: OPEN,
    async make(world) {
      const next = {
        outcome: 'approved',
        wallet_type: 'google_pay',
        currency_converter: '{"currency":"eur","rate":"0.1"}',
      }
      await world.control.post('/payments/next?merchant_id=2', next)
      return (await asOpen(world).post('/v1/transactions', payment())).body.id
    },
    seen: {
      wallet_type: 'google_pay',
      currency_converter: { amount: '1.00', currency: 'eur', chosen_currency: 'eur' },
    },
    console: /google_pay[\s\S]*"chosen_currency": "eur"|"chosen_currency": "eur"[\s\S]*google_pay/,
    story: /google_pay[\s\S]*"chosen_currency": "eur"/,
  },
  'a payment link': {
    owner: OPEN,
    async make(world) {
      const { body } = await world.control.post('/payment-links?merchant_id=2', {
        amount: '10.00',
        currency: 'sek',
      })
      const pressed = await world.shop.browser.send('POST', new URL(String(body.url)).pathname, '')
      await world.shop.browser.send(
        'POST',
        new URL(pressed.headers.get('location') ?? '').pathname,
        encode(CARD),
      )
      return (await asOpen(world).get<Transaction[]>('/v1/transactions?limit=1')).body[0]?.id ?? 0
    },
    seen: { link_payment: true },
    console: /link_payment true/,
    story: /payment_link/,
  },
  'a capture that waited for the bank': {
    owner: OPEN,
    async make(world) {
      const { id } = (await asOpen(world).post('/v1/transactions', payment({ authorize: true })))
        .body
      await world.control.post('/captures/next?merchant_id=2', { outcome: 'approved', seconds: 60 })
      const { body } = await asOpen(world).put(`/v1/transactions/${id}/capture`, { amount: '4.00' })
      expect(body.status).toBe('capture pending')
      await world.shop.gateway.clock.advance({ seconds: 60 })
      return id
    },
    seen: { status: 'approved', amount: '4.00', captures: [{ amount: '4.00' }] },
    console: /capture_sent/,
    story: /The capture was sent to the bank[\s\S]*The amount was captured/,
  },
  'a stored card that the payer removed': {
    owner: OPEN,
    async make(world) {
      const card = { ...CARD, card_type: 'VISA', currency: 'sek', test: true, customer_ref: 'seen' }
      const stored = (await asOpen(world).post('/v1/stored_cards', card)).body.id
      const { id, href } = (
        await asOpen(world).post('/v1/transactions', prepared({ customer_ref: 'seen' }))
      ).body
      const send = (fields: Fields) =>
        world.shop.browser.send('POST', new URL(href).pathname, encode(fields))
      await send({ action: 'remove_card', stored_card: stored })
      await send(CARD)
      return id
    },
    seen: {
      status: 'approved',
      log_events: expect.arrayContaining([
        expect.objectContaining({ data: expect.objectContaining({ event: 'card_removed' }) }),
      ]),
    },
    console: /card_removed/,
    story: /The payer removed a stored card/,
  },
  'a rule and the fraud check': {
    owner: SHOP,
    async make({ shop }) {
      const order = { payment_ref: 'ruled', 'metadata[service_instructions][fraud_score]': 12 }
      await shop.post('/v1/transactions', payment({ ...order, amount: '9.00' }))
      return (await shop.get<Transaction[]>('/v1/transactions?limit=1')).body[0]?.id ?? 0
    },
    seen: {
      status: 'declined',
      log_events: expect.arrayContaining([expect.objectContaining({ event_type: 'rules' })]),
    },
    console: /rules_matched/,
    story: /Rules of the merchant matched[\s\S]*dear/,
  },
}

const open = filePlace
let place: Place
let world: World
const clients: ConsoleClient[] = []
beforeAll(async () => {
  place = await open()
  const shop = await startGateway({ database: place.target, merchants: [SHOP, OPEN] })
  world = { shop, control: controlOf(shop.gateway) }
  for (const { id, password } of [SHOP, OPEN]) {
    const client = consoleOf(shop.gateway)
    await client.logIn(id, password)
    clients.push(client)
  }
})
afterAll(async () => {
  await world.shop.close()
  await place.remove()
})

test.each(Object.entries(POINTS))(
  '%s appears in API, list, webhook, console and story',
  async (_point, point) => {
    const id = await point.make(world)
    const { owner } = point
    const api = world.shop.as(owner)
    expect((await api.get<Transaction>(`/v1/transactions/${id}`)).body).toMatchObject(point.seen)
    expect(
      (await api.get<Transaction[]>(`/v1/transactions?filter[id]=${id}`)).body[0],
    ).toMatchObject(point.seen)
    const { body } = await world.control.get<{ id: number }[]>(
      `/webhooks/deliveries?transaction_id=${id}`,
    )
    const newest = (await world.control.get(`/webhooks/deliveries/${body[0]?.id}`)).body
    expect(JSON.parse(String(newest.body))).toMatchObject(point.seen)
    const client = clients[owner.id - 1]
    const [page, story] = [
      await client?.get(`/${owner.id}/transactions/${id}`),
      await client?.get(`/${owner.id}/transactions/${id}`),
    ]
    expect(textOf(page?.html ?? '')).toMatch(point.console)
    expect(textOf(story?.html ?? '')).toMatch(point.story)
  },
)
