import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Shop } from '../../examples/shared/server.ts'
import { TEST_CARDS } from '../../examples/three-d-secure/cards.ts'
import { startShop } from '../../examples/three-d-secure/server.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { messageOf, paidOrder } from './checkout-page.ts'
import { expectToFit } from './fit.ts'

let checkout: Checkout
let shop: Shop
let browser: TestBrowser

beforeAll(async () => {
  checkout = await startCheckout()
  shop = await startShop({
    port: 0,
    gateway: checkout.gateway.addresses,
    merchant: checkout.gateway.merchant,
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await shop.close()
  await checkout.close()
})

/** Opens the shop and returns its page. */
async function openShop(): Promise<Page> {
  const { page } = await browser.open()
  await page.goto(shop.url)
  return page
}

/** Clicks on the test card with these last digits, and pays with it. */
async function payWith(page: Page, lastDigits: string): Promise<void> {
  await page.click(`[data-number$="${lastDigits}"]`)
  await page.click('#payment [type=submit]')
}

test('the list contains each of the 20 cases once', () => {
  expect(new Set(TEST_CARDS.map(({ number }) => number.slice(-4, -1)))).toEqual(
    new Set(Array.from({ length: 20 }, (_, index) => String(100 + index))),
  )
})

test('cards without a challenge pay, or the page shows their failure', async () => {
  const page = await openShop()
  for (const lastDigits of ['1018', '1042', '1067']) {
    await payWith(page, lastDigits)
    expect(await messageOf(page)).toMatch(/\(\S+\)$/)
    await page.reload()
  }
  for (const lastDigits of ['1000', '1026', '1034', '1059', '1083']) {
    await payWith(page, lastDigits)
    expect(await checkout.transactionsOf(await paidOrder(page))).toContainEqual(
      expect.objectContaining({ status: 'approved' }),
    )
    await page.click('#another')
  }
})

test('the page fits 320 pixels in both languages, and loads only its own files', async () => {
  const { page, requests } = await browser.open({
    viewport: { width: 320, height: 640 },
    locale: 'sv-SE',
  })
  await page.goto(shop.url)
  expect(await page.innerText('#test-cards')).toContain('banken frågar')
  await page.click('text=English')
  await expectToFit(page, 'three-d-secure-320')
  const known = [shop.url, ...Object.values(checkout.gateway.addresses)]
  expect(requests.filter(({ url }) => !known.includes(new URL(url).origin))).toEqual([])
})
