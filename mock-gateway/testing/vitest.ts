import { test as base } from 'vitest'
import { findGateway } from '../testing.ts'

/**
 * vitest's `test` with a gateway and, for each test, a merchant of its own: `test('…', async ({ shop }) => …)`. The gateway is
 * that of `mondido-gateway exec`, or one in each worker. When a test fails, what happened to its merchant is in the report.
 */
export const test = base
  .extend('environment', { scope: 'worker' }, process.env)
  .extend('gateway', { scope: 'worker' }, async ({ environment }, { onCleanup }) => {
    const gateway = await findGateway(environment)
    onCleanup(() => gateway.close())
    return gateway
  })
  .extend('shop', async ({ gateway, annotate, onTestFailed }) => {
    const shop = await gateway.shop()
    onTestFailed(async () => {
      await annotate(await shop.story(), 'mondido-gateway')
    })
    return shop
  })
