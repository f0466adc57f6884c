import { test as base } from 'vitest'
import { findGateway } from '../testing.ts'

/**
 * vitest's `test` with two fixtures: `gateway`, one for each worker (or the gateway of
 * `mondido-gateway exec`), and `shop`, a merchant for each test. When a test fails, the merchant's
 * history is added to its report.
 * @example
 * import { test } from 'mondido-gateway/testing/vitest'
 * import { expect } from 'vitest'
 *
 * test('an order is paid', async ({ shop }) => {
 *   expect((await shop.pay()).status).toBe('approved')
 * })
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
