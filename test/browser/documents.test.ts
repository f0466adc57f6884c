import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestHash } from '../../examples/shared/payment.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { program, runProgram } from '../helpers/documents.ts'
import { serveCheckoutPage, serveLibraryReadme, serveReactPage } from './pages-of-documents.ts'

let checkout: Checkout
let browser: TestBrowser

beforeAll(async () => {
  checkout = await startCheckout()
  browser = await launchBrowser()
})
afterAll(async () => {
  await checkout.close()
})

/**
 * Pays with the form of a page: first with a card that is declined, then with a card that gets a
 * challenge.
 */
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
  expect(await checkout.transactionsOf(paymentRef)).toMatchObject([
    { status: 'declined' },
    { status: 'approved' },
  ])
}

test('the page of README pays as pasted', async () => {
  const { page } = await browser.open()
  await page.goto(await serveCheckoutPage(checkout.gateway))
  await payTwice(page, 'A200')
})

test('the page of sdk/README.md pays under Vite as pasted', async () => {
  const { page } = await browser.open()
  await page.goto(await serveLibraryReadme(checkout.gateway))
  await payTwice(page, 'A300')
})

test('the component of docs/start/react-and-vite.md pays in StrictMode as pasted', async () => {
  const { page } = await browser.open()
  const { merchant } = checkout.gateway
  const payment = { payment_ref: 'A400', amount: '10.00', currency: 'sek', test: true }
  const hash = requestHash(payment, merchant)
  await page.goto(
    await serveReactPage(checkout.gateway, {
      ...payment,
      test: 'true',
      merchant_id: String(merchant.id),
      hash,
    }),
  )
  await payTwice(page, 'A400')
})

describe('docs/how-to/test-in-a-browser.md, Playwright:', () => {
  /**
   * Parts of `@playwright/test` that the program uses. The package itself is not a dependency of
   * this project.
   */
  const playwright = {
    test: (title: string, body: (fixtures: { page: Page }) => Promise<void>) =>
      test(title, async () => {
        const { page } = await browser.open({ baseURL: checkout.shop.url })
        await body({ page })
      }),
    expect: (locator: Locator) => ({ toBeVisible: () => locator.waitFor() }),
  }
  return runProgram(program('docs/how-to/test-in-a-browser.md', 'checkout.spec.js'), {
    '@playwright/test': playwright,
  })
})
