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
  .extend('shop', async ({ gateway, onTestFailed }) => {
    const shop = await gateway.shop()
    // A test that has failed takes no annotation any more; its error is in every report.
    onTestFailed(async ({ task }) => {
      const [error] = task.result?.errors ?? []
      if (error) error.message += `\n\nmondido-gateway\n\n${await shop.story()}`
    })
    return shop
  })
