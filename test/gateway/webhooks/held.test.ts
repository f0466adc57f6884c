import { expect, test } from 'vitest'
import { ALTERATION_NAMES, ALTERATIONS } from '../../../mock-gateway/domain/webhook/alterations.ts'
import { controlOf } from '../web/control/client.ts'
import { openTestShop } from './shop.ts'

const HOLD = {
  delay: 0,
  duplicates: 0,
  duplicates_after: 0,
  reorder: false,
  hold: true,
  hold_orders: [],
}

test('held webhooks are released in a chosen order, sent twice, or lost', async () => {
  const shop = await openTestShop()
  const { gateway, sink } = shop
  const control = controlOf(gateway)
  expect((await control.put('/webhooks/sending', { hold: 'true' })).body).toEqual(HOLD)
  for (let payments = 0; payments < 3; payments++) await shop.pay()
  await gateway.clock.advance({ days: 1 })
  expect(sink.received).toEqual([])
  const [first, second, lost] = (await shop.deliveries()).map(({ id }) => id)
  await control.post(`/webhooks/deliveries/${second}/retry`)
  await gateway.clock.advance({ seconds: 1 })
  await shop.attempted(1)
  await control.post(`/webhooks/deliveries/${first}/retry`)
  await gateway.clock.advance({ seconds: 1 })
  await shop.attempted(2)
  await control.post(`/webhooks/deliveries/${first}/send`)
  await gateway.clock.advance({ seconds: 1 })
  await shop.attempted(3)
  expect((await control.delete(`/webhooks/deliveries/${lost}`)).status).toBe(200)
  const [other, once, again] = sink.received.map(({ headers }) => headers['webhook-id'])
  expect(again).toBe(once)
  expect(other).not.toBe(once)
  expect((await shop.deliveries()).map(({ id, status }) => [id, status])).toEqual([
    [first, 'delivered'],
    [second, 'delivered'],
  ])
})

test('held webhooks are attempted in a chosen order, and the answer shows their results', async () => {
  const shop = await openTestShop()
  const { gateway, sink } = shop
  const control = controlOf(gateway)
  await control.put('/webhooks/sending', { hold: 'true' })
  const { id: transaction_id } = await shop.pay()
  await control.put('/webhooks/sending', { hold: 'true', duplicates: '1' })
  const { id: other } = await shop.pay()
  sink.answer(500)
  const { body: first } = await control.post('/webhooks/deliveries/attempt', { transaction_id })
  expect(first).toMatchObject([{ transaction_id, status: 'pending', attempts: 1 }])
  sink.answer(200)
  const order = 'newest_first'
  const { body: all } = await control.post('/webhooks/deliveries/attempt', { order })
  expect(all).toMatchObject([
    { transaction_id: other, status: 'delivered', attempts: 1 },
    { transaction_id: other, status: 'delivered', attempts: 1 },
    { transaction_id, status: 'delivered', attempts: 2 },
  ])
  const { body: again } = await control.post('/webhooks/deliveries/attempt', { event: '0' })
  expect(again).toMatchObject([{ transaction_id, status: 'delivered' }])
  expect(sink.received).toHaveLength(5)
  for (const wrong of [{ order: 'random' }, { event: 'last' }, { evnt: '0' }])
    expect((await control.post('/webhooks/deliveries/attempt', wrong)).status).toBe(400)
})

test('holds of several orders at the same time are all kept', async () => {
  const shop = await openTestShop()
  const control = controlOf(shop.gateway)
  const orders = ['A1', 'B2', 'C3', 'D4', 'E5']
  await Promise.all(orders.map((payment_ref) => control.post('/webhooks/hold', { payment_ref })))
  const { body } = await control.get('/webhooks/sending')
  expect((body.hold_orders as readonly string[]).toSorted()).toEqual(orders)
})

test('an altered copy differs as its name describes, and the delivery stays unchanged', async () => {
  const shop = await openTestShop()
  const control = controlOf(shop.gateway)
  await control.put('/webhooks/sending', { hold: 'true' })
  await shop.pay({ data_format: 'json' })
  const [{ id, body } = { id: 0, body: '' }] = await shop.deliveries()
  const original = JSON.parse(body)
  for (const change of ALTERATION_NAMES) {
    shop.sink.answer(403)
    const { body: answer } = await control.post(`/webhooks/deliveries/${id}/alter`, { change })
    expect(answer).toMatchObject({ change, responses: [{ code: 403 }] })
    const received = shop.sink.received.at(-1)
    if (change === 'cut_body') {
      expect(body.startsWith(received?.body ?? '-')).toBe(true)
      continue
    }
    const { response_hash, ...sent } = JSON.parse(received?.body ?? '')
    expect({ ...sent, response_hash: original.response_hash }).toEqual({
      ...original,
      ...fieldsOf(ALTERATIONS[change]),
    })
    // Only a message that is signed again has another response_hash.
    expect(response_hash !== original.response_hash).toBe(
      change === 'unknown_order' || change === 'same_secret',
    )
    expect('webhook-signature' in (received?.headers ?? {})).toBe(change !== 'no_signature')
  }
  const both = 'approved_status,no_signature'
  expect(
    (await control.post(`/webhooks/deliveries/${id}/alter`, { change: both })).body,
  ).toMatchObject({ change: both })
  expect(shop.sink.received.at(-1)?.headers).not.toHaveProperty('webhook-signature')
  const named = await control.post(`/webhooks/deliveries/${id}/alter`, {
    change: 'other_order',
    payment_ref: 'B7',
  })
  expect(named.status).toBe(200)
  expect(JSON.parse(shop.sink.received.at(-1)?.body ?? '').payment_ref).toBe('B7')
  expect(await shop.deliveries()).toMatchObject([{ id, status: 'pending', calls: 0, due_at: null }])
  const copied = { change: 'copy', copies: 3 }
  expect(
    (await control.post(`/webhooks/deliveries/${id}/alter`, copied)).body.responses,
  ).toHaveLength(3)
  expect(new Set(shop.sink.received.slice(-3).map((call) => call.body))).toEqual(new Set([body]))
  for (const wrong of [{ change: 'other' }, { change: 'cut_body', payment_ref: 'B7' }])
    expect((await control.post(`/webhooks/deliveries/${id}/alter`, wrong)).body.code).toBe(253)
})

const fieldsOf = (alteration: object): object =>
  'fields' in alteration ? (alteration.fields as object) : {}
