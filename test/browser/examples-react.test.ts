import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startShop } from '../../examples/react/server.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { share } from '../helpers/shared.ts'
import { paidOrder, pay } from './checkout-page.ts'

const checkout = await share(startCheckout())
const { addresses, merchant } = checkout.gateway
const shop = await share(startShop({ port: 0, gateway: addresses, merchant }))
const browser = await launchBrowser()

/**
 * Opens the shop. `warnings` are the lines on the browser's console, except the browser's own line
 * about a status 400.
 */
async function openShop() {
  const { page, requests } = await browser.open()
  const warnings: string[] = []
  page.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource')
    if (['warning', 'error'].includes(message.type()) && !isStatus) warnings.push(message.text())
  })
  page.on('pageerror', (error) => void warnings.push(String(error)))
  await page.goto(shop.url)
  await page.waitForSelector('#payment')
  const sent = (path: string) =>
    requests.filter(({ method, url }) => method === 'POST' && new URL(url).pathname === path)
  return { page, warnings, sent }
}

/** Pays with a card that needs a challenge, and confirms at the bank. */
async function payAtBank(page: Page): Promise<void> {
  const [bank] = await Promise.all([
    page.waitForEvent('popup'),
    pay(page, { number: '4000 0000 0000 1091' }),
  ])
  await bank.fill('[data-testid=bank-code]', '1234')
  await bank.click('[data-testid=bank-confirm]')
}

test('a plain card pays once in StrictMode, which mounts the form twice', async () => {
  const { page, warnings, sent } = await openShop()
  await pay(page)
  expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
    { status: 'approved', amount: '246.00' },
  ])
  expect([sent('/orders').length, sent('/v1/transactions').length]).toEqual([1, 1])
  expect(warnings).toEqual([])
})

test('if a payer leaves the checkout during a payment, the order is paid', async () => {
  const { page, warnings } = await openShop()
  const answered = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  await page.route('**/v1/transactions', async (route) => {
    const response = await route.fetch()
    answered.resolve()
    await left.promise
    await route.fulfill({ response }).catch(() => {})
  })
  await pay(page)
  await answered.promise
  await page.click('text=Back to the basket')
  left.resolve()
  await page.click('text=Check out')
  expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
    { status: 'approved' },
  ])
  expect(warnings).toEqual([])
})

test('a payer who leaves the checkout before the bank has answered can pay again', async () => {
  const { page, warnings } = await openShop()
  const [bank] = await Promise.all([
    page.waitForEvent('popup'),
    pay(page, { number: '4000 0000 0000 1091' }),
  ])
  await bank.waitForSelector('[data-testid=bank-confirm]')
  // The dialog covers the button as soon as the bank shows its challenge, so a script leaves the
  // page.
  await page.waitForSelector('dialog.mondido-dialog[open]')
  await page.dispatchEvent('text=Back to the basket', 'click')
  await page.click('text=Check out')
  await page.waitForSelector('#payment')
  await payAtBank(page)
  const transactions = await checkout.transactionsOf(await paidOrder(page))
  expect(transactions.filter(({ status }) => status === 'approved')).toHaveLength(1)
  expect(warnings).toEqual([])
})
