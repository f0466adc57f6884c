import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startShop } from '../../examples/stored-card/server.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { share } from '../helpers/shared.ts'
import { paidOrder, pay, startNextOrder } from './checkout-page.ts'
import { expectToFit } from './fit.ts'

const checkout = await share(startCheckout())
await checkout.setThreeDSecure('off')
const shop = await share(
  startShop({
    port: 0,
    gateway: checkout.gateway.addresses,
    merchant: checkout.gateway.merchant,
  }),
)
const browser = await launchBrowser()

async function openShop(options: Parameters<TestBrowser['open']>[0] = {}) {
  const watched = await browser.open(options)
  await watched.page.goto(shop.url)
  return watched
}

/** Pays and lets the shop store the card, then returns to the checkout. */
async function payAndRemember(page: Page): Promise<string> {
  await page.check('[name=store_card]')
  await pay(page)
  const order = await paidOrder(page)
  await startNextOrder(page)
  await page.waitForSelector('#card-name')
  return order
}

const statusesOf = async (order: string) =>
  (await checkout.transactionsOf(order)).map(({ status }) => status)

test('a payer pays again with one click or another card, and deletes the card', async () => {
  const { page, problems } = await openShop()
  const first = await payAndRemember(page)
  expect(await tabStops(page)).toEqual([
    'Kaffekvarnen',
    'Svenska',
    'Remove the card',
    'Pay SEK 246.00 with this card',
    'Pay with another card',
  ])
  await page.click('#pay-again')
  const second = await paidOrder(page)
  expect(second).not.toBe(first)
  for (const order of [first, second]) expect(await statusesOf(order)).toEqual(['approved'])
  await startNextOrder(page)
  await page.click('summary')
  await pay(page, { number: '5555 5555 5555 4444' })
  await paidOrder(page)
  await startNextOrder(page)
  expect(await page.innerText('#card-name')).toBe('VISA ending in 1111')
  await page.click('#remove')
  expect(await page.innerText('.message.good')).toBe('The card is removed.')
  await page.reload()
  await page.waitForSelector('#card-number')
  expect(await page.locator('#pay-again').count()).toBe(0)
  expect(problems).toEqual([])
})

test('an order that was paid in another window is not paid twice', async () => {
  const { page } = await openShop()
  const other = await page.context().newPage()
  await other.goto(shop.url)
  await pay(other)
  const order = await paidOrder(other)
  await pay(page)
  expect(await paidOrder(page)).toBe(order)
  expect(await statusesOf(order)).toEqual(['approved'])
})

/** Returns the texts of the elements that the Tab key reaches, in order. */
async function tabStops(page: Page): Promise<string[]> {
  const order: string[] = []
  for (let stop = 0; stop < 5; stop++) {
    await page.keyboard.press('Tab')
    order.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
  }
  return order.map((text) => text.replace(/\s+/g, ' ').trim())
}

const LOOKS = [
  [360, 740, 'light', 'sv-SE'],
  [1280, 800, 'dark', 'en-GB'],
] as const

test.each(LOOKS)(
  'every page fits %i x %i pixels (%s, %s)',
  async (width, height, colorScheme, locale) => {
    const { page } = await openShop({ viewport: { width, height }, colorScheme, locale })
    const name = (what: string) => `stored-card-${what}-${width}-${colorScheme}`
    await expectToFit(page, name('new'))
    await page.check('[name=store_card]')
    await pay(page)
    await paidOrder(page)
    await expectToFit(page, name('receipt'))
    await startNextOrder(page)
    await page.waitForSelector('#card-name')
    await expectToFit(page, name('known'))
    await page.click('summary')
    await expectToFit(page, name('another'))
    await page.click('#remove')
    await page.waitForSelector('.message.good')
    await expectToFit(page, name('removed'))
  },
)
