import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { MERCHANT, prepared } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { until } from '../../helpers/sink.ts'
import { filePlace } from '../storage/databases.ts'
import { controlOf } from '../web/control/client.ts'
import { openShop } from '../webhooks/shop.ts'

const PAN = '5105105105105100'
const CVV = '9183'
const CARD = { card_number: PAN, card_cvv: CVV, card_holder: 'Kim', card_expiry: '1230' }
const log: string[] = []
/** Texts that the gateway sent or stored, by place. */
const found: Record<string, string> = {}

const place = await filePlace()
const settings = { administrators: [{ email: 'kim@example.org' }] }
const logger = pino({ level: 'trace' }, { write: (line) => void log.push(line) })
const shop = await share(
  openShop({ database: place.target, merchants: [{ ...MERCHANT, settings }], logger }, place),
)
for (const data_format of ['json', 'form_data', 'xml']) await shop.pay({ data_format }, CARD)
await shop.pay({ http_method: 'get' }, CARD)
await shop.attempted(4)
shop.sink.answer(404)
await shop.pay(
  { trigger: 'payment_error' },
  { ...CARD, metadata: '{"service_instructions":{"fail_as_code":133}}' },
)
await shop.pay({ trigger: 'stored_card' }, { ...CARD, store_card: true })
const webhook = JSON.stringify({ trigger: 'payment', email: 'orders@example.org' })
const { href } = (await shop.post('/v1/transactions', prepared({ webhook }))).body
await shop.browser.submit(new URL(href).pathname, { ...CARD, card_number: '5105 1051 0510 5100' })
const control = controlOf(shop.gateway)
const told = async (path: string) => JSON.stringify((await control.get(path)).body)
await until(async () => (await told('/mails')).includes('orders@example.org'))
await until(async () => (await shop.deliveries()).every(({ status }) => status !== 'pending'))
found.calls = JSON.stringify(shop.sink.received)
found.mails = await told('/mails')
found.deliveries = (await told('/webhooks/deliveries')) + (await told('/webhooks/notifications'))
found.attempts = JSON.stringify(await shop.attempts())
found.log = log
  .map((line) => JSON.stringify({ ...JSON.parse(line), request_id: 0, time: 0, pid: 0 }))
  .join('\n')
const folder = dirname(place.target)
const files = await Promise.all(
  (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1')),
)
found.files = files.join('\n')

test('every kind of webhook was sent', () => {
  expect(shop.sink.received.length).toBeGreaterThanOrEqual(6)
  for (const where of ['calls', 'attempts', 'files'])
    expect(found[where]).toContain('510510******5100')
})

describe.each(['calls', 'mails', 'deliveries', 'attempts', 'log', 'files'])('all %s', (where) => {
  test('contain no card number (attack 101, pan-in-logs)', () => {
    const spelled = [PAN, '5105 1051', '5105-1051', '5105%201051', '5105+1051', btoa(PAN)]
    expect(found[where]?.length).toBeGreaterThan(100)
    expect(spelled.filter((one) => found[where]?.includes(one))).toEqual([])
  })

  test('contain no CVV (attack 102, cvv-anywhere)', () =>
    expect(found[where]).not.toMatch(/(?<![\da-f.])9183(?![\da-f])/))
})
