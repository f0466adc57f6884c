import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { blocksOf, program, runProgram } from '../helpers/documents.ts'

const JQUERY = readFileSync(createRequire(import.meta.url).resolve('jquery'))

let checkout: Checkout
let browser: TestBrowser

beforeAll(async () => {
  checkout = await startCheckout()
  browser = await launchBrowser()
})
afterAll(async () => {
  await checkout.close()
})

/** The page of README at an address of its own, as it stands but for the gateway's port. */
async function serveReadme(): Promise<string> {
  const [block] = blocksOf('README.md').filter(({ language }) => language === 'html')
  const html = block?.code.replace('http://localhost:4400', checkout.gateway.addresses.cdn)
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', url === '/jquery.js' ? 'text/javascript' : 'text/html')
    response.end(url === '/jquery.js' ? JQUERY : html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('the page of README says what became of a payment: first refused, then, by the bank, paid', async () => {
  const { page } = await browser.open()
  await page.goto(await serveReadme())
  await page.getByLabel('Name').fill('Kim Berg')
  await page.getByLabel('Card').fill('4111 1111 1111 1111')
  await page.getByLabel('Expires').fill('1230')
  await page.getByLabel('CVV').fill('201')
  await page.getByRole('button').click()
  await page.locator('#message', { hasText: 'Payment declined' }).waitFor()
  await page.getByLabel('Card').fill('4000 0000 0000 1091')
  await page.getByLabel('CVV').fill('200')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button').click()
  const bank = await opened
  await bank.getByLabel('One-time code').fill('1234')
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await page.locator('#message', { hasText: 'A200 is approved' }).waitFor()
  expect(await checkout.transactionsOf('A200')).toMatchObject([{ status: 'declined' }, { status: 'approved' }])
})

describe('docs/recipes.md, Playwright:', () => {
  /** Of `@playwright/test`, which is no dependency here, what the program uses. */
  const playwright = {
    test: (title: string, body: (fixtures: { page: Page }) => Promise<void>) =>
      test(title, async () => {
        const { page } = await browser.open({ baseURL: checkout.shop.url })
        await body({ page })
      }),
    expect: (locator: Locator) => ({ toBeVisible: () => locator.waitFor() }),
  }
  return runProgram(program('docs/recipes.md', 'checkout.spec.js'), { '@playwright/test': playwright })
})
