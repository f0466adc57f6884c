/**
 * Tests of plans that buy by steps in Chromium, and pay on the gateway's payment page and the
 * bank's page.
 */
import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { startShop as startHostedIframe } from '../../../examples/hosted-iframe/server.ts'
import { createShopBrowser } from '../../../mock-gateway/check/shop-browser.ts'
import { listen } from '../../helpers/listening.ts'
import { ORDER, useGateway } from './fixture.ts'
import type { PlantedFault } from './planted.ts'

const gateway = useGateway()

/**
 * Starts a shop whose buy button is created by a script, and whose orders are at another origin. The
 * script takes a moment, and the page has a frame of another service, such as a chat.
 */
async function startScriptedShop(fault?: PlantedFault) {
  const orders = await gateway.startSmallShop(fault)
  const script = `
    const button = document.createElement('button')
    button.textContent = 'Buy'
    button.onclick = () => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '${orders.url}/buy' })
      document.body.append(form)
      setTimeout(() => form.submit(), 200)
    }
    document.body.append(button)`
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><body>
<iframe src="${orders.url}/chat"></iframe><script>${script}</script>`)
  })
  return { ...gateway.closeLater(await listen(server)), orders }
}

async function checkInBrowser(
  steps: readonly object[],
  orders: string,
  url: string,
  only: readonly string[],
) {
  const order = { get: orders + ORDER, amount: 'amount', fulfilled: 'fulfilled' }
  const plan = { buy: { steps }, order, settle: 1, timeout: 60 }
  const { results } = await gateway.run(url, plan, { only })
  return results.map((result) => [result.case, result.verdict, result.cause])
}

const STEPS = [{ open: '/' }, { click: 'text=Buy' }]

test.for([
  ['the payment page', ['double-click', 'declined-then-paid']],
  ['the bank', ['bank-approves', 'bank-cancelled', 'back-from-bank']],
] as const)(
  'a shop with scripts and a frame of another service passes cases in Chromium at %s',
  async ([, only]) => {
    const scripted = await startScriptedShop()
    const results = await checkInBrowser(STEPS, scripted.orders.url, scripted.url, only)
    expect(results).toEqual(only.map((name) => [name, 'passed', undefined]))
    expect([...scripted.orders.visitors]).toEqual([expect.stringContaining('Chrome/')])
  },
)

test('the payer of a browser plan finds a shop that fulfils at every return', async () => {
  const scripted = await startScriptedShop('fulfils twice')
  const results = await checkInBrowser(STEPS, scripted.orders.url, scripted.url, ['return-twice'])
  expect(results).toEqual([
    ['return-twice', 'failed', expect.stringMatching(/fulfilled \d times for one payment/)],
  ])
})

test('the payer pays and returns in the frame of a shop', async () => {
  const framed = gateway.closeLater(await startHostedIframe(gateway.shopOptions()))
  const steps = [{ open: '/' }, { click: 'form[action="/orders"] button' }]
  const only = ['bank-approves']
  expect(await checkInBrowser(steps, framed.url, framed.url, only)).toEqual(
    only.map((name) => [name, 'passed', undefined]),
  )
})

test('a payer who opens the page of a paid order returns to the shop from the receipt', async () => {
  const { url } = await startScriptedShop()
  const browser = gateway.closeLater(createShopBrowser(url, 60_000))
  const payer = browser.createPayer(gateway.base())
  const page = await browser.buy(STEPS)
  const back = await payer.pay(page, 'approved')
  expect(await payer.pay(page, 'approved')).toBe(back)
})

test('a browser that did not start is started again for the next purchase', async () => {
  const { url } = await startScriptedShop()
  const browser = gateway.closeLater(createShopBrowser(url, 60_000))
  using folder = vi.spyOn(process, 'cwd')
  folder.mockReturnValueOnce('/without-playwright')
  await expect(browser.buy(STEPS)).rejects.toThrow('need Playwright in the folder of the shop')
  expect(await browser.buy(STEPS)).toMatch(/\/v1\/form\/[\w-]+$/)
})
