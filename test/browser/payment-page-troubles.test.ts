/** Payers whose network, shop or patience fails on the payment page. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { clientAt, prepared, type TestMerchant } from '../helpers/gateway.ts'
import { type OwnServer, serve } from '../helpers/listening.ts'
import { callControl, runInMemory } from '../helpers/running.ts'

const STAYS: TestMerchant = {
  id: 2,
  password: 'stays on the page',
  secret: 's2',
  settings: { page_refused: 'page', payer_details: ['email', 'phone'] },
}

let gateway: RunningGateway
let browser: TestBrowser
/** A shop that never answers, and the requests that reached it. */
let shop: OwnServer & { readonly seen: string[] }

beforeAll(async () => {
  gateway = await runInMemory()
  await callControl(gateway, 'POST', '/fixtures', { merchants: [STAYS] })
  const seen: string[] = []
  shop = { ...(await serve(({ url }) => seen.push(String(url)))), seen }
  browser = await launchBrowser()
})
afterAll(async () => {
  shop.close()
  await gateway.close()
})

const client = () => clientAt(gateway.url, STAYS)

/** Prepares a payment, and opens its page after the preparation of the window. */
async function openPage(prepareWindow: (page: Page) => Promise<unknown>) {
  const urls = { success_url: `${shop.url}/thanks`, error_url: `${shop.url}/sorry` }
  const order = prepared({ locale: 'en', ...urls })
  const { id, href } = (await client().post('/v1/transactions', order)).body
  const { page } = await browser.open()
  await prepareWindow(page)
  await page.goto(href)
  return { id, href, page }
}

const PAYER = { email: 'anna@example.com', phone: '0701234567' }

async function pay(page: Page, card_cvv: string) {
  const card = { card_number: '4111111111111111', card_holder: 'Åsa Öberg', card_expiry: '12/38' }
  for (const [name, value] of Object.entries({ ...PAYER, ...card, card_cvv }))
    await page.fill(`#${name}`, value)
  await page.click('#mondidopayform .button')
}

test('a card is charged once for each press: neither the end of the time, nor a reload, nor going back sends it again', async () => {
  const { id, page } = await openPage(({ clock }) => clock.install())
  await pay(page, '201')
  await page.waitForSelector('#problems[data-error="errors.payment.declined"]')
  expect(await page.inputValue('#email')).toBe('anna@example.com')
  await page.waitForLoadState()
  const loaded = page.waitForEvent('load')
  await page.clock.fastForward('01:30:01')
  await loaded
  await page.reload()
  await page.goBack()
  await page.waitForSelector('#mondidopayform')
  const { log_events } = (await client().get(`/v1/transactions/${id}`)).body
  expect(log_events.filter(({ data }) => data.event === 'charged')).toHaveLength(1)
})

test('a paid form leaves no typed values in the browser', async () => {
  const { id, page } = await openPage(async () => undefined)
  // The click waits for the page of the shop, which never answers.
  pay(page, '200').catch(() => undefined)
  await expect.poll(() => shop.seen.some((url) => url.includes(`transaction_id=${id}&`))).toBe(true)
  await page.goto(`${gateway.url}/health`)
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('more time can be asked for again after a network error, which loses nothing that was typed', async () => {
  const { href, page } = await openPage(({ clock }) => clock.install())
  await page.fill('#email', 'anna@example.com')
  await page.clock.fastForward('01:29:00')
  await page.route(href, (route) => route.abort())
  await page.click('#time button')
  await page.waitForSelector('#time >> text=Check your connection')
  expect(await page.inputValue('#email')).toBe('anna@example.com')
  await page.unroute(href)
  await page.click('#time button')
  await page.waitForSelector('#time', { state: 'hidden' })
  await page.click('.methods >> text=Swish')
  await page.waitForSelector('#swishform')
  await page.click('.methods >> text=Card')
  await expect.poll(() => page.inputValue('#email')).toBe('anna@example.com')
})

/** Makes the timers of a page twenty times as quick. A driver cannot move the clock of a page that is being left. */
const hurry = (page: Page) =>
  page.addInitScript(() => {
    const original = window.setTimeout
    Object.assign(window, {
      setTimeout: (run: () => void, ms = 0) => original(run, ms / 20),
    })
  })

test('a payer who has approved stays on the way to a slow shop, and can press again after a stop', async () => {
  const { id, page } = await openPage(hurry)
  await page.click('.methods >> text=Swish')
  for (const [name, value] of Object.entries({ ...PAYER, swish_number: PAYER.phone }))
    await page.fill(`#${name}`, value)
  await page.click('#swishform .button')
  await page.waitForSelector('#simulator')
  const arrived = () => shop.seen.filter((url) => url.includes(`transaction_id=${id}&`)).length
  let press = 0
  await page.route('**/arrived', async (route) => {
    await expect.poll(arrived).toBe(press)
    await route.fulfill()
  })
  for (press of [1, 2]) {
    await page.evaluate(async () => {
      document.querySelector<HTMLButtonElement>('#simulator .button')?.click()
      // Firefox ends the request when the page is being left.
      await fetch('/arrived').catch(() => undefined)
      // Time of several polls, each of which would lead back to the gateway.
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      window.stop()
    })
    // Firefox reports no stopped load.
    await page.keyboard.press('Escape')
    await expect.poll(arrived).toBe(press)
  }
  expect(await page.locator('#simulator').count()).toBe(1)
})
