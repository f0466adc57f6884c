/** Tests of the check on shops whose page pays with the browser library, and reports the payment. */
import { createServer } from 'node:http'
import express from 'express'
import { expect, test } from 'vitest'
import { startShop as startAjaxCheckout } from '../../../examples/ajax-checkout/server.ts'
import { newReference, type Payment, pays, requestHash } from '../../../examples/shared/payment.ts'
import { listen } from '../../helpers/listening.ts'
import { useGateway } from './fixture.ts'
import { createManualTime } from './manual-time.ts'

const ORDER = {
  get: '/orders/{payment_ref}',
  paid: "state = 'paid'",
  fulfilled: "state = 'paid'",
  amount: 'amount',
}
const REPORT = { post: '/orders/{payment_ref}/result' }
const CASES = [
  'plain',
  'webhook-never',
  'return-twice',
  'return-unpaid',
  'return-of-another-order',
  'return-after-decline',
  'bank-approves',
]

const gateway = useGateway()

async function runCases(shopUrl: string, plan: object) {
  const options = { only: CASES, time: createManualTime() }
  const { results } = await gateway.run(
    shopUrl,
    { order: ORDER, settle: 1, quiet: 0, ...plan },
    options,
  )
  return results.map(({ case: name, verdict }) => `${name}: ${verdict}`)
}

/**
 * Starts a shop that takes reports of its page as JSON and as a form.
 * @param isBelieving the shop does not verify a report
 */
async function startReportedShop(isBelieving: boolean) {
  const { merchant } = gateway.reach()
  const orders = new Map<string, { readonly payment: Payment; state: 'open' | 'paid' }>()
  const app = express()
  app.get('/', (_request, response) => {
    const payment = { payment_ref: newReference(), amount: '10.00', currency: 'sek', test: true }
    orders.set(payment.payment_ref, { payment, state: 'open' })
    const fields = { ...payment, merchant_id: merchant.id, hash: requestHash(payment, merchant) }
    const inputs = Object.entries(fields).map(
      ([name, value]) => `<input name="${name}" value="${value}">`,
    )
    response.send(`<form method="post">${inputs.join('')}</form>`)
  })
  app.get('/orders/:ref', (request, response) => {
    const { payment, state } = orders.get(request.params.ref) ?? {}
    response.json({ amount: payment?.amount, state })
  })
  app.post('/orders/:ref/result', express.json(), express.urlencoded(), (request, response) => {
    const order = orders.get(request.params.ref)
    const reported = { currency: 'sek', amount: '10.00', test: true, ...request.body }
    if (order && (isBelieving ? reported.status : pays(reported, order.payment, merchant)))
      order.state = 'paid'
    response.json({})
  })
  return gateway.closeLater(await listen(createServer(app))).url
}

test('the example ajax-checkout passes the cases of the return', async () => {
  const shop = gateway.closeLater(await startAjaxCheckout(gateway.shopOptions()))
  expect(await runCases(shop.url, { buy: { post: '/orders' }, report: REPORT })).toEqual(
    CASES.map((name) => `${name}: passed`),
  )
})

test.each([
  ['as JSON', REPORT],
  [
    'as a form',
    {
      ...REPORT,
      fields: {
        id: '{id}',
        payment_ref: '{payment_ref}',
        status: '{status}',
        response_hash: '{response_hash}',
      },
    },
  ],
])('a report %s pays an order whose fields are in the page', async (_how, report) => {
  const shopUrl = await startReportedShop(false)
  expect(await runCases(shopUrl, { buy: { get: '/' }, report })).toEqual(
    CASES.map((name) => `${name}: passed`),
  )
})

test('a shop that believes the report of its page fails', async () => {
  const shopUrl = await startReportedShop(true)
  const verdicts = await runCases(shopUrl, { buy: { get: '/' }, report: REPORT })
  expect(verdicts.filter((verdict) => verdict.endsWith('failed'))).toEqual([
    'return-unpaid: failed',
    'return-of-another-order: failed',
    'return-after-decline: failed',
  ])
})

test('a plan without a report is refused with the line that it needs', async () => {
  const shopUrl = await startReportedShop(false)
  await expect(runCases(shopUrl, { buy: { get: '/' } })).rejects.toThrow(
    /"report": \{ "post": "\/orders\/\{payment_ref\}\/result" \}/,
  )
})
