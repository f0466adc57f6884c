/** Payers whose network, shop or patience fails on the payment page. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { encode, type Fields, hashed, prepared } from '../helpers/gateway.ts'

const STAYS = {
  id: 2,
  password: 'stays on the page',
  secret: 's2',
  settings: { page_refused: 'page', payer_details: ['email', 'phone'] },
}

let gateway: RunningGateway
let browser: TestBrowser
/** A shop that never answers, and the requests that reached it. */
let shop: { readonly url: string; readonly seen: string[]; close(): void }

beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  const key = gateway.control.key ?? ''
  await fetch(`${gateway.url}/_control/fixtures`, {
    method: 'POST',
    headers: { 'x-control-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ merchants: [STAYS] }),
  })
  const seen: string[] = []
  const server = createServer(({ url }) => seen.push(String(url))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  shop = { url, seen, close: () => server.close().closeAllConnections() }
  browser = await launchBrowser()
})
afterAll(async () => {
  shop.close()
  await gateway.close()
})

async function call(method: string, path: string, fields?: Fields) {
  const answer = await fetch(gateway.url + path, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${STAYS.id}:${STAYS.password}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(fields && { body: encode(fields) }),
  })
  return (await answer.json()) as {
    id: number
    href: string
    status: string
    log_events: { data: { event: string } }[]
  }
}

/** Prepares a payment, and opens its page after the preparation of the window. */
async function openPage(prepareWindow: (page: Page) => Promise<unknown>) {
  const urls = { success_url: `${shop.url}/thanks`, error_url: `${shop.url}/sorry` }
  const { id, href } = await call(
    'POST',
    '/v1/transactions',
    hashed(prepared({ locale: 'en', ...urls }), STAYS),
  )
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
  const loaded = page.waitForEvent('load')
  await page.clock.fastForward('01:30:01')
  await loaded
  await page.reload()
  await page.goBack()
  await page.waitForSelector('#mondidopayform')
  const { log_events } = await call('GET', `/v1/transactions/${id}`)
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
