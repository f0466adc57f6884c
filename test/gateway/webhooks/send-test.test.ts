import { expect, test } from 'vitest'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import type { HttpCall } from '../../../mock-gateway/webhooks/http-call.ts'
import { MERCHANT, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { until } from '../../helpers/sink.ts'
import { consoleOf } from '../web/console/client.ts'
import { controlOf } from '../web/control/client.ts'

const WEBHOOK_KEY = `whsec_${btoa('a key of 32 bytes that is secret')}`
const SHOP = {
  ...MERCHANT,
  settings: { webhook_keys: [WEBHOOK_KEY], webhook_delivery: { delay: 60, duplicates: 2 } },
}
const RIVAL = { ...MERCHANT, id: 2, secret: 'rival-secret' }
const HOSTILE = '<img src=x onerror=alert(1)>'
const URL = 'https://shop.example/hook'
const calls: HttpCall[] = []

const call = async (made: HttpCall) => {
  calls.push(made)
  const code = calls.length === 1 ? 500 : 200
  return { code, body: HOSTILE, message: HOSTILE, headers: { [HOSTILE]: HOSTILE }, error: null }
}
const shop = await sharedGateway({ merchants: [SHOP, RIVAL], webhooks: { call } })
const client = consoleOf(shop.gateway)
await client.logIn(1, MERCHANT.password)

interface Delivery {
  readonly id: number
  readonly webhook_id: string
  readonly status: string
  readonly attempts: number
}

const control = () => controlOf(shop.gateway)
const bodyOf = (call: HttpCall | undefined) =>
  JSON.parse(call?.body || '{}') as Readonly<Record<string, unknown>>

async function sent(fields: Readonly<Record<string, string>>) {
  const before = calls.length
  const { body, status } = await control().post<Delivery>('/webhooks/test', { url: URL, ...fields })
  expect([status, body]).toMatchObject([200, { url: URL, transaction_id: null }])
  await until(async () => calls.length > before)
  return { delivery: body, call: calls.at(-1), body: bodyOf(calls.at(-1)) }
}

test('every trigger can be tested without a payment: immediately, once, and signed', async () => {
  const bodies = new Map<string, Readonly<Record<string, unknown>>>()
  for (const trigger of TRIGGERS) {
    const { delivery, call, body } = await sent({ trigger })
    bodies.set(trigger, body)
    expect(delivery.webhook_id).toMatch(/^msg_test_[0-9a-f]{32}_1$/)
    expect(call).toMatchObject({
      url: URL,
      method: 'POST',
      headers: { 'webhook-id': delivery.webhook_id },
    })
  }
  expect(calls).toHaveLength(TRIGGERS.length)
  const status = (trigger: string) => bodies.get(trigger)?.status
  expect(['payment', 'payment_error', 'before_payment'].map(status)).toEqual([
    'approved',
    'declined',
    'pending',
  ])
  expect(bodies.get('refund')).toMatchObject({
    refunds: [{ amount: '10.00' }],
    response_hash: expect.any(String),
  })
  expect(bodies.get('stored_card')).toMatchObject({ card_number: '411111******1111' })
})

test('the body is the newest matching transaction, or the given one', async () => {
  const { body: paid } = await shop.post('/v1/transactions', payment({ payment_ref: HOSTILE }))
  await shop.post('/v1/transactions', payment({ card_cvv: '201' }))
  expect((await sent({ trigger: 'payment_success' })).body.id).toBe(paid.id)
  expect(
    (await sent({ trigger: 'payment', transaction_id: String(paid.id), http_method: 'get' })).call,
  ).toMatchObject({
    method: 'GET',
    url: expect.stringContaining(`${URL}?id=${paid.id}&`),
  })
  expect((await sent({ trigger: 'payment' })).body.id).toBe(paid.id + 1)
})

test.each([
  [{ trigger: 'paid' }, 253, 'trigger must be one of payment, '],
  [
    { trigger: 'payment', url: 'file:///etc/passwd' },
    151,
    'The url of a webhook must start with http',
  ],
  [{ trigger: 'payment', url: 'http://169.254.169.254/' }, 151, 'never calls'],
  [
    { trigger: 'payment', transaction_id: '999' },
    128,
    'The merchant has no transaction 999 (transaction_id)',
  ],
  [
    { trigger: 'payment', merchant_id: '2', transaction_id: '1' },
    128,
    'no transaction 1 (transaction_id)',
  ],
  [{ trigger: 'payment', merchant_id: '9' }, 104, 'There is no merchant 9'],
  [{ trigger: 'payment', colour: 'red' }, 253, 'colour is not a parameter'],
])('%o is rejected with error %i', async (fields, code, why) => {
  const { body, headers } = await control().post<{ code: number }>('/webhooks/test', {
    url: URL,
    ...fields,
  })
  expect([body.code, headers.get('mondido-explain')]).toEqual([code, expect.stringContaining(why)])
})
