import { describe, expect } from 'vitest'
import { test } from '../../../../mock-gateway/testing/vitest.ts'

/**
 * Defines 50 parallel tests. Each test would fail if it saw a payment, webhook, outcome or clock of
 * another test.
 */
export function aloneInItsData(): void {
  describe.concurrent('each test', () => {
    test.for(Array.from({ length: 50 }, (_each, at) => at))(
      '%i sees only its own data',
      async (at, { shop }) => {
        const amount = `${at + 1}.00`
        if (at % 5 === 0) await shop.nextOutcome('errors.payment.declined')
        if (at % 3 === 0) await shop.clock.advance({ days: at + 1 })
        if (at % 5 === 0) await shop.pay().catch(() => {})
        const paid = await shop.pay({ amount })
        expect(paid.status).toBe('approved')
        const { items, total } = await shop.client
          .listTransactions({ filter: { status: 'approved' } })
          .page()
        expect([total, items[0]?.id]).toEqual([1, paid.id])
        expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(paid.id)
        const off = (await shop.clock.now()).getTime() - Date.now()
        // `+ 0` converts -0, which `toBe` distinguishes from 0.
        expect(Math.round(off / 86_400_000) + 0).toBe(at % 3 === 0 ? at + 1 : 0)
      },
    )
  })
}
