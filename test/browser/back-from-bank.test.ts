/**
 * Tests of a payer who presses Back at the bank and pays with another card: in a plain form, with
 * the library in form mode, and on the payment page.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { CARD, hashed } from '../helpers/gateway.ts'
import { type OwnServer, serve } from '../helpers/listening.ts'

const JQUERY = readFileSync(
  fileURLToPath(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url)),
)
const [CHALLENGED, PLAIN] = ['4000000000001091', '4111111111111111']

let checkout: Checkout
let browser: TestBrowser
let shop: OwnServer
beforeAll(async () => {
  checkout = await startCheckout()
  browser = await launchBrowser()
  const server = await serve(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://shop')
    const script = pathname === '/jquery.js'
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(
      script
        ? JQUERY
        : pathname === '/thanks'
          ? 'Thanks'
          : checkoutPage(pathname.slice(1), searchParams),
    )
  })
  shop = { ...server, url: `http://shop.localhost:${server.port}` }
})
afterAll(async () => {
  shop.close()
  await checkout.close()
})

/** Returns the shop's page for the order in its query, with card fields if the shop has them. */
function checkoutPage(how: string, order: URLSearchParams): string {
  const { cdn, pay } = checkout.gateway.addresses
  const marked = how === 'library' ? 'data-encrypt-attribute' : 'name'
  const { card_number: _typed, ...rest } = CARD
  const fields = how === 'page' ? {} : rest
  const inputs = [...order].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const card = Object.entries(fields).map(([name, value]) =>
    name === 'card_holder'
      ? `<input name="${name}" value="${value}">`
      : `<input ${marked}="${name}" value="${value}">`,
  )
  const number = how === 'page' ? '' : `<input id="card_number" ${marked}="card_number">`
  const library = `<script src="/jquery.js"></script><script src="${cdn}/v2/mondido.js?merchant_id=1"></script>
    <script>$('#shop').mondido({ type: 'form' })</script>`
  return `<!doctype html><html lang="en"><title>Shop</title>
    <form id="shop" method="post" action="${pay}/v1/form">${[...inputs, ...card].join('')}${number}<button>Pay</button></form>
    ${how === 'library' ? library : ''}`
}

let orders = 0
async function openShop(how: string, options: Parameters<TestBrowser['open']>[0] = {}) {
  const payment_ref = `back${++orders}`
  const { merchant } = checkout.gateway
  const plain = {
    merchant_id: merchant.id,
    amount: '10.00',
    currency: 'sek',
    payment_ref,
    test: true,
  }
  const urls = { success_url: `${shop.url}/thanks`, error_url: `${shop.url}/thanks` }
  const order = Object.entries(hashed({ ...plain, ...urls, locale: 'en' }, merchant))
  const { page } = await browser.open(options)
  await page.goto(
    `${shop.url}/${how}?${new URLSearchParams(order.map(([name, value]) => [name, String(value)]))}`,
  )
  return { page, payment_ref }
}

async function payAtShop(page: Page, card: string) {
  await page.fill('#card_number', card)
  await page.click('#shop button')
}

/** Presses Back, and waits for the scripts of the page. */
async function goBack(page: Page) {
  await page.goBack({ waitUntil: 'commit' })
  await page.waitForLoadState()
}

/** Waits until the payer is back in the shop; resolves with the query of the redirect. */
async function told(page: Page) {
  await page.waitForURL(`${shop.url}/thanks?**`)
  return Object.fromEntries(new URL(page.url()).searchParams)
}

const statuses = async (payment_ref: string) =>
  (await checkout.transactionsOf(payment_ref)).map(({ status }) => status).sort()

describe.each([
  ['a payer in a shop with a plain form', 'form'],
  ['a payer in a shop with the library in form mode', 'library'],
])('%s', (_name, how) => {
  test('presses Back at the bank: a second card pays after Back, and the bank’s page leads to no second payment', async () => {
    const { page, payment_ref } = await openShop(how)
    await payAtShop(page, CHALLENGED)
    await page.waitForSelector('[data-testid=bank-code]')
    const bank = page.url()
    await goBack(page)
    await payAtShop(page, PLAIN)
    expect(await told(page)).toMatchObject({ status: 'approved', payment_ref })
    expect(await statuses(payment_ref)).toEqual(['approved', 'failed'])
    await page.goto(bank)
    expect(await told(page)).toMatchObject({
      status: 'failed',
      error_name: 'errors.payment.canceled',
    })
    expect(await statuses(payment_ref)).toEqual(['approved', 'failed'])
  })
})

/** Waits for the payment page, and pays with a card there. */
async function payOnPage(page: Page, card: string) {
  await page.waitForSelector('#mondidopayform')
  for (const [name, value] of Object.entries({ ...CARD, card_number: card }))
    await page.fill(`#${name}`, value)
  await page.click('#mondidopayform button')
}

describe('the page', () => {
  /** Opens the bank for a payer, and presses Back to the payment page. */
  async function backOnPage() {
    const { page, payment_ref } = await openShop('page')
    await page.click('#shop button')
    await payOnPage(page, CHALLENGED)
    await page.waitForSelector('[data-testid=bank-code]')
    await goBack(page)
    await page.waitForSelector('#waiting')
    return { page, payment_ref }
  }

  test('shows the order and how long the bank waits, and leads to the bank again', async () => {
    const { page, payment_ref } = await backOnPage()
    expect(await page.innerText('body')).toContain(`Order ${payment_ref}`)
    expect(await page.innerText('main')).toMatch(/Minutes left: (?:9|10)\b/)
    await page.click('text=Continue the verification')
    await page.fill('[data-testid=bank-code]', '1234')
    await page.click('[data-testid=bank-confirm]')
    expect(await told(page)).toMatchObject({ status: 'approved', payment_ref })
  })

  test('lets the payer choose another card', async () => {
    const { page, payment_ref } = await backOnPage()
    await page.click('text=Use another card')
    await payOnPage(page, PLAIN)
    expect(await told(page)).toMatchObject({ status: 'approved', payment_ref })
    expect(await statuses(payment_ref)).toEqual(['approved'])
  })
})

test('the page counts down the minutes until the bank’s challenge expires', async () => {
  const { page } = await openShop('page')
  await page.clock.install()
  await page.click('#shop button')
  await payOnPage(page, CHALLENGED)
  await page.waitForSelector('[data-testid=bank-code]')
  await goBack(page)
  await page.clock.runFor('03:30')
  await expect.poll(() => page.innerText('main')).toMatch(/Minutes left: [67]\b/)
  expect(await page.innerText('main')).not.toContain('longer than expected')
})
