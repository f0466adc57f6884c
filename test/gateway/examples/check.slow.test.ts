/** Tests that the example shops that store orders pass cases of the check. */
import { expect, onTestFinished, test } from 'vitest'
import { startShop as startFormPost } from '../../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../../examples/hosted-redirect/server.ts'
import { startShop as startReact } from '../../../examples/react/server.ts'
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

/** Cases of the code that the hosted shops share. */
const HOSTED = [
  'plain',
  'double-click',
  'declined-then-paid',
  'return-twice',
  'return-unpaid',
  'webhook-twice',
  'webhook-and-return-at-once',
  'webhook-forged-status',
  'answer-lost',
  'refund',
  'refund-in-parts',
]

test.for([
  ['hosted-redirect', startHostedRedirect, { post: '/orders' }, HOSTED],
  ['hosted-iframe', startHostedIframe, { post: '/orders' }, ['plain', 'back-from-bank']],
  ['form-post', startFormPost, { get: '/' }, ['plain', 'declined-then-paid', 'return-unpaid']],
  ['react', startReact, { post: '/orders' }, ['plain', 'bank-approves', 'return-unpaid']],
] as const)('the example %s passes the check', async ([, startShop, buy, only]) => {
  const gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  onTestFinished(() => gateway.close())
  const shop = await startShop({
    port: 0,
    gateway: gateway.addresses,
    merchant: gateway.merchant,
  })
  onTestFinished(() => shop.close())
  const plan = readPlan(
    JSON.stringify({ buy, order: ORDER, settle: 1, quiet: 0 }),
    shop.url,
    gateway.url,
  )
  const reach = {
    url: gateway.url,
    controlKey: gateway.control.key ?? '',
    merchant: gateway.merchant,
  }
  const { results } = await runCheck(reach, plan, {
    only,
    time: createManualTime(),
  })
  const failed = results.filter(({ verdict }) => verdict === 'failed')
  expect(failed.map((result) => `${result.case}: ${result.cause}`)).toEqual([])
})
