import { describe, expect, test } from 'vitest'
import { MERCHANT } from '../../helpers/gateway.ts'
import { openTestShop } from './shop.ts'

describe('webhooks are altered to test a handler', () => {
  const opened = (webhook_delivery: object) =>
    openTestShop({ merchants: [{ ...MERCHANT, settings: { webhook_delivery } }] })

  test('duplicates have the same webhook-id and body', async () => {
    const shop = await opened({ duplicates: 2 })
    await shop.pay()
    const calls = await shop.sink.calls(3)
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
  })

  test('a duplicate comes minutes later', async () => {
    const shop = await opened({ duplicates: 1, duplicates_after: 300 })
    await shop.pay()
    await shop.gateway.clock.advance({ seconds: 299 })
    expect(shop.sink.received).toHaveLength(1)
    await shop.gateway.clock.advance({ seconds: 1 })
    expect(new Set((await shop.sink.calls(2)).map(({ body }) => body)).size).toBe(1)
  })

  test('a delay passes before the first attempt', async () => {
    const shop = await opened({ delay: 60 })
    await shop.pay()
    await shop.gateway.clock.advance({ seconds: 59 })
    expect(shop.sink.received).toHaveLength(0)
    await shop.gateway.clock.advance({ seconds: 1 })
    expect(shop.sink.received).toHaveLength(1)
  })

  test('reordered: the capture is sent before the reservation', async () => {
    const shop = await opened({ reorder: true })
    const { id } = await shop.pay({}, { authorize: true })
    await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })
    await shop.attempted(1)
    await shop.gateway.clock.advance({ seconds: 10 })
    expect(shop.sink.received.map(({ body }) => JSON.parse(body).status)).toEqual([
      'approved',
      'authorized',
    ])
  })

  test('reordered: an alert to an administrator does not belong to the payment, and is not reordered', async () => {
    const settings = {
      webhook_delivery: { reorder: true },
      administrators: [{ email: 'kim@example.org' }],
    }
    const shop = await openTestShop({ merchants: [{ ...MERCHANT, settings }] })
    shop.sink.answer(404)
    const { id } = await shop.pay({}, { authorize: true })
    await shop.gateway.clock.advance({ seconds: 10 })
    await shop.attempted(2)
    await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })
    expect(
      (await shop.deliveries()).find(({ trigger, id }) => trigger === 'payment' && id > 1)?.due_at,
    ).toBe(shop.gateway.clock.now())
  })
})
