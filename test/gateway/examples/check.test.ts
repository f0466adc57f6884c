/** The example shops that keep orders pass the check. */
import { test } from 'vitest'
import { startShop as startFormPost } from '../../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
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

// Most of a check is waiting, so the shops are checked at the same time, each with a gateway of its
// own.
test.concurrent.for([
  ['hosted-redirect', startHostedRedirect, { post: '/orders' }],
  ['hosted-iframe', startHostedIframe, { post: '/orders' }],
  ['form-post', startFormPost, { get: '/' }],
] as const)(
  'the example %s passes the check',
  async ([, startShop, buy], { expect, onTestFinished }) => {
    const gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
    onTestFinished(() => gateway.close())
    const shop = await startShop({
      port: 0,
      gateway: gateway.addresses,
      merchant: gateway.merchant,
    })
    onTestFinished(() => shop.close())
    const plan = readPlan(JSON.stringify({ buy, order: ORDER, settle: 1 }), shop.url)
    const reach = {
      url: gateway.url,
      controlKey: gateway.control.key ?? '',
      merchant: gateway.merchant,
    }
    const { results } = await runCheck(reach, plan)
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  },
)
