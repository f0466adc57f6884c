/** Tests of a payer whose link leads to no payment. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { freePort } from '../setup/free-port.ts'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Server
beforeAll(async () => {
  gateway = await runGateway(
    ['--memory', '--port', String(await freePort())],
    { LOG_LEVEL: 'silent' },
    () => {},
  )
  browser = await launchBrowser()
  shop = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(
      `<!doctype html><title>Shop</title><a href="${gateway.url}/v1/form/${url?.slice(1)}">Pay</a>`,
    )
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
})
afterAll(async () => {
  shop.close().closeAllConnections()
  await gateway.close()
})

test.each([['x'.repeat(22)], ['cut-off']])(
  'a payer with an unknown link reads a plain message, and a link back to the shop (%s)',
  async (token) => {
    const { page } = await browser.open()
    const from = `http://shop.localhost:${(shop.address() as AddressInfo).port}/${token}`
    await page.goto(from)
    await page.click('a')
    expect(await page.innerText('h1')).toBe('We cannot find this payment')
    expect(await page.innerText('main')).toContain(
      'The link may be too old, or a part of it is missing.',
    )
    expect(await page.innerText('main')).not.toMatch(/transaction/i)
    expect(await page.innerText('main a')).toBe('Back to the shop')
    await page.click('main a')
    await page.waitForURL(`${new URL(from).origin}/**`)
  },
)

test('a payer without a return address sees the next step', async () => {
  const { page } = await browser.open({ locale: 'sv' })
  await page.goto(`${gateway.url}/v1/form/${'x'.repeat(22)}`)
  expect(await page.innerText('h1')).toBe('Vi hittar inte betalningen')
  expect(await page.innerText('main')).toContain('Gå tillbaka till butiken')
  expect(await page.locator('main a').count()).toBe(0)
})
