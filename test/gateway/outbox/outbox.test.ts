import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import type { Merchant } from '../../../mock-gateway/domain/merchant.ts'
import { createDeliveryRows } from '../../../mock-gateway/outbox/new-delivery-rows.ts'
import type { PaymentEvent } from '../../../mock-gateway/outbox/payment-events.ts'
import { foldLog, MAX_LOG_EVENTS, record } from '../../../mock-gateway/outbox/record.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { findRow } from '../../../mock-gateway/storage/rows.ts'
import type { LogEventRow } from '../../../mock-gateway/storage/tables/payment-parts.ts'
import type { TransactionRow } from '../../../mock-gateway/storage/tables/transactions.ts'
import type { FullDelivery } from '../../../mock-gateway/storage/tables/webhook-deliveries.ts'
import { withBodies } from '../../../mock-gateway/storage/webhook-deliveries.ts'
import { openWork, type Work } from '../../../mock-gateway/work/work.ts'
import { CARD, type Fields, MERCHANT, payment, prepared, START } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'

const ORIGIN = 'http://localhost:4400'
const HOOK = { url: 'http://192.0.2.1/hook' }
const hooks = (...triggers: string[]) =>
  JSON.stringify(triggers.map((trigger) => ({ ...HOOK, trigger })))

const templates = [
  { name: 'cards', trigger: 'stored_card', ...HOOK },
  { name: 'paid', trigger: 'payment_success', ...HOOK, data_format: 'xml' },
]
const target = await sharedPlace(filePlace)
const plain = { ...MERCHANT, id: 2, settings: { webhooks: templates } }
const shop = await sharedGateway({ database: target, merchants: [MERCHANT, plain] })
const database = await share(openDatabase(target))

async function rows(transactionId: number | null): Promise<FullDelivery[]> {
  const found = database.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('transaction_id', 'is not distinct from', transactionId)
    .orderBy('id')
  return withBodies(database.db, await found.execute())
}
const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const wanted = async (transactionId: number | null) =>
  (await rows(transactionId)).map(({ trigger, template }) => template ?? trigger)

test("a merchant's templates get each payment and each stored card", async () => {
  const other = shop.as(plain)
  const { body: paid } = await other.post(
    '/v1/transactions',
    payment({ store_card: true, webhook: hooks('payment') }),
  )
  expect(await wanted(paid.id)).toEqual(['payment', 'paid', 'cards'])
  await other.post('/v1/stored_cards', { ...CARD, card_type: 'visa', currency: 'sek', test: true })
  expect(await wanted(null)).toEqual(['cards'])
})

test('the answer is what the webhook sends, except in another language or with extended objects', async () => {
  const webhook = hooks('payment')
  const declined = { webhook, card_cvv: '201', customer_ref: 'c1' }
  const read = async (fields: Fields) => {
    const { payment_ref } = payment(declined)
    await shop.post('/v1/transactions', payment({ ...declined, ...fields, payment_ref }))
    const list = await shop.get('/v1/transactions', { 'filter[payment_ref]': payment_ref })
    const { id } = (list.body as unknown as Transaction[])[0] as Transaction
    const [delivery] = await rows(id)
    return JSON.parse(delivery?.body ?? '') as Transaction
  }
  const swedish = (await read({})).fail_message
  expect((await read({ locale: 'en', extend: 'customer' })).fail_message).toBe(swedish)
  const answer = await create(
    payment({ webhook, locale: 'en', extend: 'customer', customer_ref: 'c2' }),
  )
  expect(answer.customer).toMatchObject({ ref: 'c2' })
  const plain = await create(payment({ webhook, customer_ref: 'c3' }))
  expect(JSON.parse((await rows(plain.id))[0]?.body ?? '')).toEqual(plain)
})

test('a prepared or changed transaction, and a payment that a rule silences, cause no webhook', async () => {
  const { id } = await create(prepared({ webhook: hooks('payment', 'payment_success') }))
  await shop.put(`/v1/transactions/${id}`, { process: false, metadata: '{"a":1}' })
  expect(await rows(id)).toEqual([])
  const fields = payment({
    webhook: hooks('payment', 'payment_error'),
    'metadata[service_instructions][fail_as_code]': 'errors.rules_parser.skip_webhook',
  })
  await create(fields)
  const { body } = await shop.get<Transaction[]>('/v1/transactions', {
    'filter[payment_ref]': fields.payment_ref,
  })
  expect(await rows(body[0]?.id ?? 0)).toEqual([])
})

test('payment_form is sent for a payment on the page, and not for a payment of the server', async () => {
  const first = await create(prepared({ webhook: hooks('payment_form') }))
  await shop.send('POST', new URL(first.href).pathname, String(new URLSearchParams(CARD)))
  expect(await wanted(first.id)).toEqual(['payment_form'])
  const second = await create(payment({ webhook: hooks('payment_form') }))
  expect(await wanted(second.id)).toEqual([])
})

test('a delivery wakes the scheduler once it is committed, and does not if it is rolled back', async () => {
  const { id } = await create(prepared({ webhook: hooks('payment') }))
  let wakes = 0
  const work = openWork(database, {
    merchant: (await findMerchant(database.db, MERCHANT.id)) as Merchant,
    actor: { by: 'gateway' },
    now: START,
    randomBytes,
    addresses: { base: ORIGIN, pay: ORIGIN, cdn: ORIGIN },
    observer: {
      onDue: () => {
        wakes += 1
      },
    },
  })
  const row = await findRow(database.db, 'transactions', MERCHANT.id, id)
  const captured: PaymentEvent = { event: 'captured', amount: '1.00' }
  const happen = (steps: Work) => record(steps, row as TransactionRow, [captured])
  const undone = work.write(async (steps) => {
    await happen(steps)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect([await rows(id), wakes]).toEqual([[], 0])
  await work.write(happen)
  expect([(await rows(id)).length, wakes]).toEqual([1, 1])
})

const HEARD = {
  transaction_id: 1,
  webhook_id: 1,
  template: null,
  type: 'CustomHttp',
  trigger: 'payment',
  url: 'http://shop.test/hook',
  http_method: 'post',
  data_format: 'json',
  email: null,
  body: '{}',
} as const

test('an event has an id that begins with its second, and each of its messages has a number', () => {
  const now = Date.UTC(2026, 10, 23) + 999
  const id = new Uint8Array(12).fill(0xfb)
  const rows = createDeliveryRows({ merchantId: 1, id, now, dueAt: now }, [HEARD, HEARD])
  const hex = `6b038200${'fb'.repeat(12)}`
  expect(rows.map(({ event_id, message_id }) => [event_id, message_id])).toEqual([
    [`evt_${hex}`, `msg_${hex}_1`],
    [`evt_${hex}`, `msg_${hex}_2`],
  ])
})

const event = (id: number): LogEventRow => ({
  id,
  transaction_id: 1,
  event_type: 'payment',
  data: { event: `${id}` },
  created_at: id,
})
const log = (count: number) => Array.from({ length: count }, (_, index) => event(index + 1))

test('a log that is not too long stays unchanged', () => {
  expect(foldLog([])).toBeUndefined()
  expect(foldLog(log(MAX_LOG_EVENTS))).toBeUndefined()
})

test('a longer log keeps its start and end, and counts the omitted events', () => {
  const { events = [], fold, next } = foldLog(log(1_000)) ?? {}
  expect(events).toHaveLength(MAX_LOG_EVENTS)
  expect(events.slice(0, 100)).toEqual(log(100))
  expect(events[100]).toEqual({ ...event(101), data: { event: 'left_out', count: 801 } })
  expect(events.slice(101)).toEqual(log(1_000).slice(-99))
  expect([fold, next]).toEqual([events[100], events[101]])
})

test('events that are added one at a time give the same log as all events at once', () => {
  let events: readonly LogEventRow[] = []
  for (const each of log(1_000)) events = foldLog([...events, each])?.events ?? [...events, each]
  expect(events).toEqual(foldLog(log(1_000))?.events)
})
