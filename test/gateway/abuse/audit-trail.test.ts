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
})
