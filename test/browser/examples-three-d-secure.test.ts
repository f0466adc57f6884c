import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Shop } from '../../examples/shared/server.ts'
import { TEST_CARDS } from '../../examples/three-d-secure/cards.ts'
import { startShop } from '../../examples/three-d-secure/server.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { someOf } from '../helpers/some.ts'
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

/** Clicks on the test card that ends so, and pays with it. */
async function payWith(lastDigits: string) {
  const watched = await browser.open()
  const { page } = watched
  await page.goto(shop.url)
  await page.click(`[data-number$="${lastDigits}"]`)
  await page.click('#payment [type=submit]')
  return watched
}

test('the list has each of the 20 cases once', () => {
  expect(new Set(TEST_CARDS.map(({ number }) => number.slice(-4, -1)))).toEqual(
    new Set(Array.from({ length: 20 }, (_, index) => String(100 + index))),
  )
})

test.each([
  ['1234', 'paid'],
  ['0000', 'refused'],
])('the bank asks in its window: code %s is %s', async (code, outcome) => {
  const { page, problems } = await browser.open()
  await page.goto(shop.url)
  await page.click('[data-number$="1091"]')
  const [bank] = await Promise.all([
    page.waitForEvent('popup'),
    page.click('#payment [type=submit]'),
  ])
  await bank.fill('[data-testid=bank-code]', code)
  await bank.click('[data-testid=bank-confirm]')
  if (outcome === 'refused')
    return expect(await messageOf(page)).toContain('errors.mpi.not_approved')
  const [transaction] = await checkout.transactionsOf(await paidOrder(page))
  expect(transaction).toMatchObject({ status: 'approved', mpi_ref: expect.any(String) })
  expect(problems).toEqual([])
})

test('a payer who cancels at the bank has not paid, and may try again', async () => {
  const { page } = await browser.open()
  await page.goto(shop.url)
  await page.click('[data-number$="1091"]')
  const [bank] = await Promise.all([
    page.waitForEvent('popup'),
    page.click('#payment [type=submit]'),
  ])
  await bank.click('[data-testid=bank-cancel]')
  expect(await messageOf(page)).toMatch(/\(\S+\)$/)
  await page.click('[data-number$="1000"]')
  await page.click('#payment [type=submit]')
  expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
    { status: 'approved' },
  ])
})

test('a payer who closes the window of the bank has not paid, and is told so', async () => {
  const { page } = await browser.open()
  await page.goto(shop.url)
  await page.click('[data-number$="1091"]')
  const [bank] = await Promise.all([
    page.waitForEvent('popup'),
    page.click('#payment [type=submit]'),
  ])
  await bank.waitForSelector('[data-testid=bank-confirm]')
  await bank.close()
  expect(await messageOf(page)).toContain('(mpi.closed)')
  expect(await page.innerText('#bank')).toContain('(closed)')
})

test.each(someOf(['1000', '1026', '1034', '1059', '1083'], 3))(
  'the card …%s pays without a question',
  async (lastDigits) => {
    const { page } = await payWith(lastDigits)
    expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
      { status: 'approved' },
    ])
  },
)

test.each(someOf(['1018', '1042', '1067'], 2))(
  'the card …%s does not pay, and the page says so',
  async (lastDigits) => {
    const { page } = await payWith(lastDigits)
    expect(await messageOf(page)).toMatch(/\(\S+\)$/)
  },
)

test('the page fits 320 pixels, in both languages, with its own files only', async () => {
  const { page, requests } = await browser.open({
    viewport: { width: 320, height: 640 },
    locale: 'sv-SE',
  })
  await page.goto(shop.url)
  expect(await page.innerText('#test-cards')).toContain('frågar på sin sida')
  await page.click('text=English')
  await expectToFit(page, 'three-d-secure-320')
  const known = [shop.url, ...Object.values(checkout.gateway.addresses)]
  expect(requests.filter(({ url }) => !known.includes(new URL(url).origin))).toEqual([])
})
