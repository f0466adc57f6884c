import pino from 'pino'
import { expect, test } from 'vitest'
import { createLogger } from '../../../mock-gateway/cli/log.ts'
import { CARD, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../helpers/shared-gateway.ts'
import { consoleOf } from '../web/console/client.ts'

const KEY = 'a-key-of-our-own'
const log: Record<string, unknown>[] = []

const logger = pino({}, { write: (line) => void log.push(JSON.parse(line)) })
const shop = await sharedGateway({ control: KEY, logger })
await shop.gateway.clock.freeze()

const IP = '127.0.0.1'
const logOf = async (id: number) =>
  (await shop.get(`/v1/transactions/${id}`)).body.log_events.map(({ data }) => data)

test('attack 134 (audit-trail): the log of a payment names each actor and address if the merchant orders and refunds, and the payer pays on the page', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  await shop.browser.submit(new URL(body.href).pathname, CARD)
  await shop.post('/v1/refunds', { transaction_id: body.id, amount: '1.00', reason: 'Late' })
  expect(await logOf(body.id)).toMatchObject([
    { event: 'created', by: 'merchant', ip: IP },
    { event: 'updated', by: 'page', ip: IP },
    { event: 'charged', by: 'page', ip: IP },
    { event: 'refunded', by: 'merchant', ip: IP },
  ])
})

test.each([
  ['merchant', 1, MERCHANT.password],
  ['administrator', 'admin', KEY],
] as const)(
  'attack 134 (audit-trail): the log of the gateway shows that the %s changed something in the console, from which address, and when',
  async (by, username, password) => {
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
  },
)

const EVIL = 'a\r\n09:00:00 POST /v1/refunds 200\u001b[2J\u009b1A\u2028b'

test.each([
  ['on a terminal', true],
  ['in a file', false],
])('a client’s text never starts a line of its own in the log, %s', async (_where, onTerminal) => {
  const written: string[] = []
  const screen = { write: (text: string) => void written.push(text) }
  const shop = await openGateway({
    logger: onTerminal ? createLogger('info', screen) : pino({}, screen),
  })
  await shop.post(
    '/v1/transactions',
    prepared({ payment_ref: EVIL, customer_ref: EVIL, amount: EVIL }),
  )
  await shop.post('/v1/transactions', prepared({ hash: EVIL, payment_ref: EVIL, currency: EVIL }))
  await shop.get(`/v1/transactions/${encodeURIComponent(EVIL)}`, {
    order_by: EVIL,
    'filter[amount]': EVIL,
  })
  await shop.get('/v1/transactions', { extend: EVIL }, { 'user-agent': 'a\u009b1A' })
  await expect.poll(() => written).toHaveLength(4)
  for (const line of written) {
    expect(line.match(/\n/g)).toHaveLength(1)
    for (const character of ['\u001b[2J', '\u009b', '\u2028', '\r'])
      expect(line).not.toContain(character)
  }
})

test('a payment with many attempts has a log of limited length, which counts the omitted entries', async () => {
  const shop = await openGateway()
  const { id } = (await shop.post('/v1/transactions', prepared())).body
  const path = `/v1/transactions/${id}`
  const tries = 105
  for (let time = 0; time < tries; time += 1)
    expect((await shop.put(path, { ...CARD, card_cvv: '201', process: true })).body.code).toBe(129)
  const paid = (await shop.put(path, { ...CARD, process: true })).body
  expect(paid.status).toBe('approved')
  expect((await shop.get(path)).body.log_events).toEqual(paid.log_events)
  const events = paid.log_events.map(({ data }) => data)
  expect(events).toHaveLength(200)
  expect(events[0]).toMatchObject({ event: 'created', process: false })
  // Each attempt has two events: an update and a charge.
  expect(events[100]).toEqual({ event: 'left_out', count: 1 + 2 * (tries + 1) - 199 })
  expect(events.at(-1)).toMatchObject({ event: 'charged', status: 'approved' })
})
