/**
 * Payments in every example shop, and on every page of the documents, must leave the browser's
 * console empty and cause no finding.
 */

import type { ConsoleMessage, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startShop as startAjaxCheckout } from '../../examples/ajax-checkout/server.ts'
import { startShop as startFormPost } from '../../examples/form-post/server.ts'
import { startShop as startHostedIframe } from '../../examples/hosted-iframe/server.ts'
import { startShop as startHostedRedirect } from '../../examples/hosted-redirect/server.ts'
import { type ShopName, startList } from '../../examples/list/server.ts'
import { startShop as startReact } from '../../examples/react/server.ts'
import type { Shop, ShopOptions } from '../../examples/shared/server.ts'
import { startShop as startStoredCard } from '../../examples/stored-card/server.ts'
import { startShop as startThreeDSecure } from '../../examples/three-d-secure/server.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { share } from '../helpers/shared.ts'
import { paidOrder, pay, startNextOrder } from './checkout-page.ts'

/** Pays on the payment page, which the shop opens in the window or in a frame. */
async function payOnPaymentPage(page: Page, frame?: string): Promise<void> {
  await page.click('main button')
  const form = frame === undefined ? page : page.frameLocator(frame)
  await form.locator('#card_number').fill('4111 1111 1111 1111')
  await form.locator('#card_holder').fill('Kim Berg')
  await form.locator('#card_expiry').fill('12/38')
  await form.locator('#card_cvv').fill('200')
  await form.locator('#mondidopayform button').first().click()
}

interface ExampleShop {
  readonly start: (options: ShopOptions) => Promise<Shop>
  readonly pay: (page: Page) => Promise<unknown>
}

const SHOPS: Readonly<Record<ShopName, ExampleShop>> = {
  'ajax-checkout': { start: startAjaxCheckout, pay },
  'stored-card': {
    start: startStoredCard,
    async pay(page) {
      await page.check('[name=store_card]')
      await pay(page)
      await paidOrder(page)
      await startNextOrder(page)
      await page.click('#pay-again')
    },
  },
  'hosted-redirect': { start: startHostedRedirect, pay: (page) => payOnPaymentPage(page) },
  'hosted-iframe': { start: startHostedIframe, pay: (page) => payOnPaymentPage(page, '#payment') },
  'form-post': { start: startFormPost, pay },
  'three-d-secure': {
    start: startThreeDSecure,
    async pay(page) {
      await page.click('[data-number$="1091"]')
      await payAtBank(page, () => page.click('#payment [type=submit]'))
    },
  },
  react: { start: startReact, pay },
}

/**
 * Confirms the payment in the window of the bank.
 * @param submit sends the form of the shop
 */
async function payAtBank(page: Page, submit: () => Promise<void>): Promise<void> {
  const [bank] = await Promise.all([page.waitForEvent('popup'), submit()])
  // The page gives this field the focus. Chromium writes a message if a field already has it.
  await bank.locator('[data-testid=bank-code]:focus').fill('1234')
  await bank.getByRole('button', { name: 'Confirm' }).click()
}

/** Hint about an extension of the browser that every React app writes in development. */
const REACT_HINT = 'Download the React DevTools'

const checkout = await share(startCheckout())
const options: ShopOptions = {
  port: 0,
  gateway: checkout.gateway.addresses,
  merchant: checkout.gateway.merchant,
}
const browser = await launchBrowser()

/**
 * Opens a page, and collects everything but debug messages that it and its windows write to the
 * browser's console.
 */
async function openPage(url: string) {
  const { page, problems } = await browser.open()
  const messages: string[] = []
  page.context().on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'debug' && !message.text().includes(REACT_HINT))
      messages.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  await page.goto(url)
  // On a slow machine, the library requests the status before the gateway has received the form.
  const isTooEarly = (line: string) => line.includes('/v1/mpi_js/')
  return { page, written: () => [...messages, ...problems].filter((line) => !isTooEarly(line)) }
}

/** Returns the page of findings of the gateway's console. */
async function readFindings(): Promise<string> {
  const { url, merchant } = checkout.gateway
  const body = new URLSearchParams({ username: '1', password: merchant.password })
  const login = await fetch(`${url}/console/login`, { method: 'POST', body, redirect: 'manual' })
  const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';')
  return (await fetch(`${url}/console/1/findings`, { headers: { cookie } })).text()
}

describe.each(Object.entries(SHOPS))('the example shop %s', (_name, example) => {
  test('is paid without a console message and without a finding', async () => {
    const shop = await example.start(options)
    try {
      const { page, written } = await openPage(shop.url)
      await example.pay(page)
      expect(await checkout.transactionsOf(await paidOrder(page))).toMatchObject([
        { status: 'approved' },
      ])
      expect(written()).toEqual([])
      expect(await readFindings()).toContain('No warnings.')
    } finally {
      await shop.close()
    }
  })
})

test('the list of the examples shows no console message', async () => {
  const { control, url } = checkout.gateway
  const names = Object.keys(SHOPS).map((name) => [name, url])
  const list = await startList({ ...options, control, shops: Object.fromEntries(names) })
  try {
    const { page, written } = await openPage(list.url)
    expect(await page.locator('main a').count()).toBeGreaterThanOrEqual(names.length)
    expect(written()).toEqual([])
  } finally {
    await list.close()
  }
})
