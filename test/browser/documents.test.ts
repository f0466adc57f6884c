import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { createServer as createViteServer } from 'vite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { blocksOf, inRepository, program, runProgram } from '../helpers/documents.ts'
import { freePort } from '../setup/free-port.ts'

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

/** Pays with the form of a page: with a card that is declined, then with one whose bank asks. */
async function payTwice(page: Page, paymentRef: string) {
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
  await page.locator('#message', { hasText: `${paymentRef} is approved` }).waitFor()
  expect(await checkout.transactionsOf(paymentRef)).toMatchObject([{ status: 'declined' }, { status: 'approved' }])
}

test('the page of README pays, as it is pasted', async () => {
  const { page } = await browser.open()
  await page.goto(await serveReadme())
  await payTwice(page, 'A200')
})

/** A folder with what sdk/README.md has to paste, as it stands but for the gateway's address. */
async function pasteReadmeOfLibrary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pasted-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { language, code } of blocksOf('sdk/README.md').filter(({ language }) => language !== 'sh'))
    await writeFile(
      join(folder, language === 'html' ? 'index.html' : 'main.js'),
      code.replace('http://localhost:4400', checkout.gateway.url),
    )
  const headers = { 'x-control-key': checkout.gateway.control.key ?? '' }
  const keys = await fetch(`${checkout.gateway.url}/_control/merchants/1/keys`, { headers })
  await writeFile(join(folder, 'keys.json'), await keys.text())
  return folder
}

test('the page of sdk/README.md pays under Vite, as it is pasted', async () => {
  const vite = await createViteServer({
    root: await pasteReadmeOfLibrary(),
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { 'mondido-js': inRepository('sdk/index.ts') } },
    server: { port: await freePort(), fs: { strict: false } },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  const { page } = await browser.open()
  await page.goto(vite.resolvedUrls?.local[0] ?? '')
  await payTwice(page, 'A300')
})

describe('docs/how-to/recipes.md, Playwright:', () => {
  /** Of `@playwright/test`, which is no dependency here, what the program uses. */
  const playwright = {
    test: (title: string, body: (fixtures: { page: Page }) => Promise<void>) =>
      test(title, async () => {
        const { page } = await browser.open({ baseURL: checkout.shop.url })
        await body({ page })
      }),
    expect: (locator: Locator) => ({ toBeVisible: () => locator.waitFor() }),
  }
  return runProgram(program('docs/how-to/recipes.md', 'checkout.spec.js'), { '@playwright/test': playwright })
})
