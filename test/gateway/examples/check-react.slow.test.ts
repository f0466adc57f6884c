/**
 * Test that the example shop in React passes the check. A script of its page gets the fields of the
 * order as JSON.
 */
import { expect, onTestFinished, test } from 'vitest'
import { startShop } from '../../../examples/react/server.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { createManualTime } from '../check/manual-time.ts'

const ORDER = {
  get: '/orders/{payment_ref}.json',
  paid: "state = 'paid'",
  amount: 'amount',
  currency: 'currency',
  fulfilled: 'fulfilled',
  refunded: 'refunded',
}

test('the example shop in React passes the check', async () => {
  const gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  onTestFinished(() => gateway.close())
  const { addresses, merchant } = gateway
  const shop = await startShop({ port: 0, gateway: addresses, merchant })
  onTestFinished(() => shop.close())

  const plan = JSON.stringify({ buy: { post: '/orders' }, order: ORDER, settle: 1, quiet: 0 })
  const reach = { url: gateway.url, controlKey: gateway.control.key ?? '', merchant }
  const { results } = await runCheck(reach, readPlan(plan, shop.url, gateway.url), {
    time: createManualTime(),
  })
  expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(20)
})
