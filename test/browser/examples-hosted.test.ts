import type { FrameLocator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startShop as startFormPost } from '../../examples/form-post/server.ts'
import { startShop as startIframe } from '../../examples/hosted-iframe/server.ts'
import { startShop as startRedirect } from '../../examples/hosted-redirect/server.ts'
import type { Shop } from '../../examples/shared/server.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { paidOrder, pay as payInShop } from './checkout-page.ts'
import { expectToFit } from './fit.ts'

const STARTS = {
  'hosted-redirect': startRedirect,
  'hosted-iframe': startIframe,
  'form-post': startFormPost,
} as const
type Name = keyof typeof STARTS

let checkout: Checkout
let browser: TestBrowser
const shops = new Map<Name, Shop>()

beforeAll(async () => {
  checkout = await startCheckout()
  const { addresses, merchant } = checkout.gateway
  for (const [name, start] of Object.entries(STARTS))
    shops.set(name as Name, await start({ port: 0, gateway: addresses, merchant }))
  browser = await launchBrowser()
})
afterAll(async () => {
  for (const shop of shops.values()) await shop.close()
  await checkout.close()
})

const urlOf = (name: Name) => shops.get(name)?.url ?? ''

async function openShop(name: Name, options: Parameters<TestBrowser['open']>[0] = {}) {
  const watched = await browser.open(options)
  await watched.page.goto(urlOf(name))
  return watched
}

const CARD = {
  card_number: '4111 1111 1111 1111',
  card_holder: 'Åsa Öberg',
  card_expiry: '12/38',
  card_cvv: '200',
}

/** Pays on the payment page, or in a frame that shows it. */
async function payHosted(where: Page | FrameLocator, over: Partial<typeof CARD> = {}) {
  for (const [name, value] of Object.entries({ ...CARD, ...over }))
    await where.locator(`#${name}`).fill(value)
  await where.locator('#mondidopayform button').first().click()
}

const notPaid = (page: Page) => page.locator('.message.bad').innerText()

describe('hosted-iframe', () => {
  test('pays in a frame as high as its page, and breaks out of it', async () => {
    const { page, problems } = await openShop('hosted-iframe')
    await page.click('button')
    const frame = page.frameLocator('#payment')
    await frame.locator('#card_number').waitFor()
    const heightIn = () =>
      frame.locator('html').evaluate((html) => Math.ceil(html.getBoundingClientRect().height))
    const height = () => page.locator('#payment').evaluate((element) => element.clientHeight)
    await expect.poll(async () => (await height()) - (await heightIn())).toBe(0)
    await payHosted(frame)
    const order = await paidOrder(page)
    expect(page.url()).toBe(`${urlOf('hosted-iframe')}/orders/${order}`)
    expect(page.frames()).toHaveLength(1)
    expect(await checkout.transactionsOf(order)).toMatchObject([{ status: 'approved' }])
    expect(problems).toEqual([])
  })

  test('listens to the page before its frame exists, even if the frame script loads late, and breaks out after a decline, too', async () => {
    const { page } = await openShop('hosted-iframe')
    const asked = Promise.withResolvers<Route>()
    await page.route('**/resize.js', asked.resolve)
    await page.click('button', { noWaitAfter: true })
    const script = await asked.promise
    expect(await page.locator('#payment').count()).toBe(0)
    await script.continue()
    await payHosted(page.frameLocator('#payment'), { card_cvv: '201' })
    expect(await notPaid(page)).toContain('no money was taken')
    expect(page.frames()).toHaveLength(1)
  })
})

describe('form-post', () => {
  test('pays with the card in the form, without JavaScript', async () => {
    const { page, problems, requests } = await openShop('form-post', { javaScriptEnabled: false })
    await payInShop(page)
    const order = await paidOrder(page)
    expect(await checkout.transactionsOf(order)).toMatchObject([{ status: 'approved' }])
    expect(problems).toEqual([])
    const toShop = requests.filter(({ url }) => url.startsWith(urlOf('form-post')))
    expect(toShop.map(({ url, body }) => url + body).join()).not.toMatch(/4111|1111/)
  })
})

test.each(Object.keys(STARTS) as Name[])(
  '%s fits 320 pixels in both languages, and loads only its own files',
  async (name) => {
    const { page, requests } = await openShop(name, {
      viewport: { width: 320, height: 2400 },
      locale: 'sv-SE',
    })
    expect(await page.getAttribute('html', 'lang')).toBe('sv')
    await page.click('text=English')
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    await expectToFit(page, `${name}-320`)
    await page.locator('button').last().click()
    await page.waitForLoadState('networkidle')
    await expectToFit(page, `${name}-pay-320`)
    const { base, pay, cdn } = checkout.gateway.addresses
    const known = [urlOf(name), base, pay, cdn]
    expect(requests.filter(({ url }) => !known.includes(new URL(url).origin))).toEqual([])
  },
)
