import { hash } from 'node:crypto'
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

test('the page of README pays', async () => {
  const [block] = blocksOf('README.md').filter(({ language }) => language === 'html')
  const html = `<!doctype html><html lang="en"><body>${block?.code}<p id="message"></p>`
    .replace('http://localhost:4400', checkout.gateway.addresses.cdn)
    .replace('made by your server', hash('md5', '1A10010.00sektestsandbox-secret'))
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', url === '/jquery.js' ? 'text/javascript' : 'text/html')
    response.end(url === '/jquery.js' ? JQUERY : html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const shop = `http://localhost:${(server.address() as AddressInfo).port}`
  const { page } = await browser.open()
  await page.goto(shop)
  await page.fill('[autocomplete=cc-name]', 'Kim Berg')
  await page.fill('[autocomplete=cc-number]', '4111111111111111')
  await page.fill('[autocomplete=cc-exp]', '1230')
  await page.fill('[autocomplete=cc-csc]', '200')
  await page.click('button')
  await page.waitForURL(`${shop}/paid/A100`)
  expect(await checkout.transactionsOf('A100')).toMatchObject([{ status: 'approved', amount: '10.00' }])
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
