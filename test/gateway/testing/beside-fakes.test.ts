import { mock } from 'node:test'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../../../mock-gateway/testing.ts'

/** What test suites replace in their process, and how they restore it. */
const FAKES: readonly (readonly [name: string, fake: () => unknown, restore: () => unknown])[] = [
  ['fake timers of vitest', () => vi.useFakeTimers(), () => vi.useRealTimers()],
  ['fake timers of node:test', () => mock.timers.enable(), () => mock.timers.reset()],
]

describe.each(FAKES)('beside %s', (_name, fake, restore) => {
  test.each([
    ['without a port', {}],
    ['on a port', { port: 0 }],
  ])('a gateway %s pays, sends webhooks, and moves its clock', async (_where, options) => {
    const gateway = await startGateway(options)
    const shop = await gateway.shop()
    fake()
    onTestFinished(() => void restore())
    const terms = { interval: 1, interval_unit: 'months', prices: { sek: '99.00' } } as const
    const plan = await shop.client.createPlan({ name: 'Box', ...terms })
    const { id } = await shop.pay({ plan_id: plan.id, store_card: true })
    expect((await shop.webhooks.waitFor('payment_success')).data.id).toBe(id)
    const charged = await shop.webhooks.waitFor('recurring_success', { within: { months: 2 } })
    expect(charged.data.amount).toBe('99.00')
    await gateway.close()
  })
})
