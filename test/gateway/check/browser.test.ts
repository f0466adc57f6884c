/**
 * Tests of plans that buy by steps in Chromium, and pay on the gateway's payment page and the
 * bank's page.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { readPlan } from '../../../mock-gateway/check/plan.ts'
import { runCheck } from '../../../mock-gateway/check/run.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { type PlantedFault, startSmallShop } from './shop.ts'

let gateway: RunningGateway
let shop: { readonly url: string; close(): Promise<void> } | undefined
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
})
afterEach(() => shop?.close())
afterAll(() => gateway.close())

/**
 * Starts a shop whose buy button is created by a script, and whose orders are at another origin.
 */
async function startScriptedShop(fault?: PlantedFault) {
  const orders = await startSmallShop(gateway.addresses.base, gateway.merchant, fault)
  const script = `
    const button = document.createElement('button')
    button.textContent = 'Buy'
    button.onclick = () => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '${orders.url}/buy' })
      document.body.append(form)
      form.submit()
    }
    document.body.append(button)`
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><body><script>${script}</script>`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    async close() {
      await orders.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function checkInBrowser(
  steps: readonly object[],
  orders: string,
  url: string,
  only: readonly string[],
) {
  const order = {
    get: `${orders}/orders/{payment_ref}.json`,
    amount: 'amount',
    fulfilled: 'fulfilled',
  }
  const plan = { buy: { steps }, order, settle: 1, timeout: 60 }
  const reach = {
    url: gateway.url,
    controlKey: gateway.control.key ?? '',
    merchant: gateway.merchant,
  }
  const { results } = await runCheck(reach, readPlan(JSON.stringify(plan), url, gateway.url), {
    only,
  })
  return results.map((result) => [result.case, result.verdict, result.cause])
}

const STEPS = [{ open: '/' }, { click: 'text=Buy' }]

test.for([
  ['the payment page', ['double-click', 'declined-then-paid']],
  ['the bank', ['bank-approves', 'bank-cancelled', 'back-from-bank']],
] as const)('a shop that needs scripts passes cases in Chromium at %s', async ([, only]) => {
  const scripted = await startScriptedShop()
  shop = scripted
  const results = await checkInBrowser(STEPS, scripted.orders.url, scripted.url, only)
  expect(results).toEqual(only.map((name) => [name, 'passed', undefined]))
  expect([...scripted.orders.visitors]).toEqual([expect.stringContaining('Chrome/')])
})

test('the payer of a browser plan finds a shop that fulfils at every return', async () => {
  const scripted = await startScriptedShop('fulfils twice')
  shop = scripted
  const results = await checkInBrowser(STEPS, scripted.orders.url, scripted.url, ['return-twice'])
  expect(results).toEqual([
    ['return-twice', 'failed', expect.stringMatching(/fulfilled \d times for one payment/)],
  ])
})

test('the payer pays and returns in the frame of a shop', async () => {
  const framed = await startHostedIframe({
    port: 0,
    gateway: gateway.addresses,
    merchant: gateway.merchant,
  })
  shop = framed
  const steps = [{ open: '/' }, { click: 'form[action="/orders"] button' }]
  const only = ['bank-approves']
  expect(await checkInBrowser(steps, framed.url, framed.url, only)).toEqual(
    only.map((name) => [name, 'passed', undefined]),
  )
})
