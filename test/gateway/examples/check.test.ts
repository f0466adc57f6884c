/** The example shops that keep orders pass the check. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startShop as startFormPost } from '../../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import type { Shop } from '../../../examples/shared/server.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'

const ORDER = {
  get: '/orders/{payment_ref}.json',
  paid: "state = 'paid'",
  amount: 'amount',
  currency: 'currency',
  fulfilled: 'fulfilled',
  refunded: 'refunded',
}

let gateway: RunningGateway
let shop: Shop | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterEach(() => shop?.close())
afterAll(() => gateway.close())

test.for([
  ['hosted-redirect', startHostedRedirect, { post: '/orders' }],
  ['hosted-iframe', startHostedIframe, { post: '/orders' }],
  ['form-post', startFormPost, { get: '/' }],
] as const)('the example %s passes the check', async ([, startShop, buy]) => {
  shop = await startShop({ port: 0, gateway: gateway.addresses, merchant: gateway.merchant })
  const plan = readPlan(JSON.stringify({ buy, order: ORDER, settle: 1 }), shop.url)
  const reach = { url: gateway.url, controlKey: gateway.control.key ?? '', merchant: gateway.merchant }
  const { results } = await runCheck(reach, plan)
  expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
})
