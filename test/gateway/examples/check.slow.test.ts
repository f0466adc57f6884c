/**
 * Tests that the example shops that store orders pass the check. `npm test` runs a third of its
 * cases for each shop.
 */
import { test } from 'vitest'
import { startShop as startFormPost } from '../../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import { CASES } from '../../../mock-gateway/check/cases.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { isLong, someOf } from '../../helpers/some.ts'
import { createManualTime } from '../check/manual-time.ts'

const ORDER = {
  get: '/orders/{payment_ref}.json',
  paid: "state = 'paid'",
  amount: 'amount',
  currency: 'currency',
  fulfilled: 'fulfilled',
  refunded: 'refunded',
}

/**
 * Events that are tried in every order: all events of the plan, or in `npm test` the most frequent
 * ones.
 */
const EVENTS = isLong ? {} : { events: ['return', 'webhook', 'refund'] }

// A check mostly waits, so the shops are checked at the same time, each with its own gateway.
test.concurrent.for([
  ['hosted-redirect', startHostedRedirect, { post: '/orders' }, someOf(CASES, 3, 0)],
  ['hosted-iframe', startHostedIframe, { post: '/orders' }, someOf(CASES, 3, 1)],
  ['form-post', startFormPost, { get: '/' }, someOf(CASES, 3, 2)],
] as const)(
  'the example %s passes the check',
  async ([, startShop, buy, cases], { expect, onTestFinished }) => {
    const gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
    onTestFinished(() => gateway.close())
    const shop = await startShop({
      port: 0,
      gateway: gateway.addresses,
      merchant: gateway.merchant,
    })
    onTestFinished(() => shop.close())
    const plan = readPlan(
      JSON.stringify({ buy, order: ORDER, settle: 1, quiet: 0, ...EVENTS }),
      shop.url,
      gateway.url,
    )
    const reach = {
      url: gateway.url,
      controlKey: gateway.control.key ?? '',
      merchant: gateway.merchant,
    }
    const { results } = await runCheck(reach, plan, {
      only: cases.map(({ name }) => name),
      time: createManualTime(),
    })
    expect(results.filter(({ verdict }) => verdict === 'failed')).toEqual([])
  },
)
