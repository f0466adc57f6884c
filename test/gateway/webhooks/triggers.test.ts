import { afterEach, describe, expect, test } from 'vitest'
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
  })
})
