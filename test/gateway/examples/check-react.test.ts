/**
 * Test that the example shop in React passes the check. Its page creates the order with a script, so
 * this test does the same to get the payment page.
 */
import { expect, onTestFinished, test } from 'vitest'
import { startShop } from '../../../examples/react/server.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { runGateway } from '../../../mock-gateway/cli.ts'

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

  /** Sends the order without a card, and returns the payment page that it leads to. */
  async function buy(): Promise<string> {
    const order = await fetch(`${shop.url}/orders`, { method: 'POST' })
    const { fields } = (await order.json()) as { fields: Record<string, string> }
    const body = new URLSearchParams(fields)
    const init = { method: 'POST', body, redirect: 'manual' } as const
    const answer = await fetch(`${addresses.pay}/v1/form`, init)
    return new URL(answer.headers.get('location') ?? '', addresses.pay).href
  }
  const plan = readPlan(JSON.stringify({ buy: { get: '/' }, order: ORDER, settle: 1 }), shop.url)
  const checked = { url: gateway.url, controlKey: gateway.control.key ?? '', merchant }
  const { results } = await runCheck(checked, { ...plan, buy })
  expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(20)
})
