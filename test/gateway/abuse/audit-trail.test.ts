import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CARD,
  encode,
  MERCHANT,
  payment,
  prepared,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { consoleOf } from '../web/console/client.ts'

const KEY = 'a-key-of-our-own'

let shop: TestGateway
const log: Record<string, unknown>[] = []
beforeAll(async () => {
  const logger = pino({}, { write: (line) => void log.push(JSON.parse(line)) })
  shop = await startGateway({ control: KEY, logger })
  await shop.gateway.clock.freeze()
})
afterAll(() => shop.close())

const IP = '127.0.0.1'
const logOf = async (id: number) =>
  (await shop.get(`/v1/transactions/${id}`)).body.log_events.map(({ data }) => data)

describe('attack 134 (audit-trail): the log of a payment names each actor and address', () => {
  test('if the merchant orders and refunds, and the payer pays on the page', async () => {
    const { body } = await shop.post('/v1/transactions', prepared())
    await shop.browser.send('POST', new URL(body.href).pathname, encode(CARD))
    await shop.post('/v1/refunds', { transaction_id: body.id, amount: '1.00', reason: 'Late' })
    expect(await logOf(body.id)).toMatchObject([
      { event: 'created', by: 'merchant', ip: IP },
      { event: 'updated', by: 'page', ip: IP },
      { event: 'charged', by: 'page', ip: IP },
      { event: 'refunded', by: 'merchant', ip: IP },
    ])
  })

  test('if a payer pays with the library or a form', async () => {
    const { body } = await shop.browser.post('/v1/transactions', payment({ merchant_id: 1 }))
    expect(await logOf(body.id)).toMatchObject([
      { event: 'created', by: 'payer', ip: IP },
      { event: 'charged', by: 'payer', ip: IP },
    ])
  })

  test.each([
    ['the merchant', 'merchant', 1, MERCHANT.password],
    ['the administrator', 'administrator', 'admin', KEY],
  ] as const)('if %s captures and refunds in the console', async (_who, by, username, password) => {
    const { body } = await shop.post('/v1/transactions', payment({ authorize: true }))
    const client = consoleOf(shop.gateway)
    await client.logIn(username, password)
    const page = `/1/transactions/${body.id}`
    await client.post(`${page}/capture`, { amount: '10.00' })
    await client.post(`${page}/refund`, { amount: '1.00', reason: 'Late' })
    expect(await logOf(body.id)).toMatchObject([
      { event: 'created', by: 'merchant' },
      { event: 'charged', by: 'merchant' },
      { event: 'captured', by, ip: IP },
      { event: 'refunded', by, ip: IP },
    ])
  })

  test('if the payment expires', async () => {
    const { body } = await shop.post('/v1/transactions', prepared())
    await shop.gateway.clock.advance({ days: 1 })
    const [, expired] = await logOf(body.id)
    expect(expired).toMatchObject({ event: 'expired', by: 'gateway' })
    expect(expired).not.toHaveProperty('ip')
  })
})

describe('attack 134 (audit-trail): the log of the gateway shows who changed something in the console, from which address, and when', () => {
  test.each([
    ['merchant', 1, MERCHANT.password],
    ['administrator', 'admin', KEY],
  ] as const)('a change by the %s is logged', async (by, username, password) => {
    const webhook = '{"trigger":"payment","url":"https://shop.example/hook"}'
    const { body } = await shop.post('/v1/transactions', payment({ store_card: true, webhook }))
    const card = (body.stored_card as { readonly id: number }).id
    log.length = 0
    const client = consoleOf(shop.gateway)
    const began = Date.now()
    await client.logIn(username, 'wrong password')
    await client.logIn(username, password)
    await client.get(`/1/stored_cards/${card}`)
    await client.post(`/1/stored_cards/${card}/cancel`)
    await client.post('/1/stored_cards/99/cancel')
    await client.post('/1/webhooks/1/send')
    const acts = log.filter(({ act }) => act !== undefined)
    expect(acts).toMatchObject([
      { act: '/console/login', by, ip: IP },
      { act: '/console/:merchant/stored_cards/:id/cancel', of: card, merchant_id: 1, by, ip: IP },
      { act: '/console/:merchant/webhooks/:id/send', of: 1, merchant_id: 1, by, ip: IP },
    ])
    const times = [began, ...acts.map(({ time }) => Number(time)), Date.now()]
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(JSON.stringify(log)).not.toContain(password)
  })

  test('a resent webhook is logged', async () => {
    const webhook = '{"trigger":"payment","url":"https://shop.example/hook"}'
    await shop.post('/v1/transactions', payment({ webhook }))
    const client = consoleOf(shop.gateway)
    await client.logIn(1, MERCHANT.password)
    const [, id] = /webhooks\/(\d+)"/.exec((await client.get('/1/webhooks')).html) ?? []
    log.length = 0
    await client.post(`/1/webhooks/${id}/send`)
    expect(log).toContainEqual(
      expect.objectContaining({
        act: '/console/:merchant/webhooks/:id/send',
        of: Number(id),
        by: 'merchant',
        ip: IP,
      }),
    )
  })

  test('a new password is logged without its value', async () => {
    log.length = 0
    const client = consoleOf(shop.gateway)
    await client.logIn(1, MERCHANT.password)
    const fields = {
      old_password: MERCHANT.password,
      password: 'another one',
      password_again: 'another one',
    }
    expect((await client.post('/1/settings/password', fields)).status).toBe(303)
    expect(log).toContainEqual(
      expect.objectContaining({
        act: '/console/:merchant/settings/password',
        by: 'merchant',
        merchant_id: 1,
        ip: IP,
      }),
    )
    expect(JSON.stringify(log)).not.toMatch(/another one|custom00/)
  })
})
