import { afterEach, describe, expect, test } from 'vitest'
import { payment, prepared } from '../../helpers/gateway.ts'
import { onBothDatabases, type Shop } from './shop.ts'

let shop: Shop | undefined
afterEach(() => shop?.close())

onBothDatabases((openShop) => {
  describe('webhook rule 16: triggers', () => {
    const OUTCOMES = {
      approved: {},
      authorized: { authorize: true },
      declined: { card_cvv: '201' },
      failed: { 'metadata[service_instructions][fail_as_code]': 'errors.service_not_available' },
    }
    const FIRES: Readonly<Record<string, readonly (keyof typeof OUTCOMES)[]>> = {
      payment: ['approved', 'authorized', 'declined', 'failed'],
      payment_success: ['approved', 'authorized'],
      payment_error: ['declined', 'failed'],
      refund: [],
      recurring_success: [],
      payment_form: [],
      stored_card: [],
    }
    test('each fires only for its own outcomes', async () => {
      shop = await openShop()
      for (const [trigger, outcomes] of Object.entries(FIRES))
        for (const [outcome, fields] of Object.entries(OUTCOMES)) {
          const before = (await shop.deliveries()).length
          await shop.pay({ trigger }, fields)
          const fresh = (await shop.deliveries()).slice(before)
          expect([trigger, outcome, fresh.map((row) => JSON.parse(row.body).status)]).toEqual([
            trigger,
            outcome,
            outcomes.includes(outcome as keyof typeof OUTCOMES) ? [outcome] : [],
          ])
        }
    })

    test('a page that expires fires the trigger of its outcome, although no form caused it', async () => {
      shop = await openShop()
      const { url } = shop.sink
      const triggers = Object.keys(FIRES).map((trigger) => ({ trigger, url }))
      await shop.post('/v1/transactions', prepared({ webhook: JSON.stringify(triggers) }))
      await shop.gateway.clock.advance({ seconds: 6000 })
      const told = (await shop.deliveries()).map(
        ({ trigger, body }) => `${trigger} ${JSON.parse(body).status}`,
      )
      expect(told).toEqual(['payment failed', 'payment_error failed'])
    })

    test('payment fires again after a capture, and refund after a refund, both with the transaction', async () => {
      shop = await openShop()
      const url = shop.sink.url
      const webhook = JSON.stringify([
        { trigger: 'payment', url },
        { trigger: 'refund', url, data_format: 'form_data' },
      ])
      const { body: paid } = await shop.post(
        '/v1/transactions',
        payment({ authorize: true, webhook }),
      )
      await shop.put(`/v1/transactions/${paid.id}/capture`, { amount: '10.00' })
      await shop.post('/v1/refunds', { transaction_id: paid.id, amount: '4.00', reason: 'Broken' })
      const calls = await shop.sink.calls(3)
      expect(calls.slice(0, 2).map(({ body }) => JSON.parse(body).status)).toEqual([
        'authorized',
        'approved',
      ])
      const refund = new URLSearchParams(calls[2]?.body)
      expect([refund.get('id'), refund.get('status')]).toEqual([String(paid.id), 'approved'])
      expect(JSON.parse(refund.get('refunds') ?? '')).toMatchObject([
        { amount: '4.00', reason: 'Broken' },
      ])
    })
  })
})
