/** Tests of a payer who follows a payment link and pays with a wallet. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { callControl, runInMemory } from '../helpers/running.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

let gateway: RunningGateway
let browser: TestBrowser
let link: string
beforeAll(async () => {
  gateway = await runInMemory()
  browser = await launchBrowser()
  await control('PUT', '/merchants/1', { settings: { wallets: ['apple_pay', 'google_pay'] } })
  const order = {
    amount: '1250.00',
    currency: 'sek',
    description: 'One hour of work',
    payment_ref: 'order-{n}',
  }
  link = (await control('POST', '/payment-links', { ...order, uses: 2 })).url
})
afterAll(() => gateway.close())

const control = (method: string, path: string, body: object) =>
  callControl<{ url: string }>(gateway, method, path, body)

test.each([
  {
    how: 'with a script',
    javaScriptEnabled: true,
    width: 1280,
    colorScheme: 'dark',
    lang: 'en',
    done: 'complete',
  },
  {
    how: 'without a script',
    javaScriptEnabled: false,
    width: 320,
    colorScheme: 'light',
    lang: 'sv',
    done: 'klar',
  },
] as const)(
  'a link leads to a wallet and a receipt $how',
  async ({ width, lang, done, ...options }) => {
    const { page, problems } = await browser.open({
      ...options,
      viewport: { width, height: 800 },
      locale: lang,
      bypassCSP: true,
    })
    // Without scripts, the page cannot be measured.
    const look = async (name: string) => {
      if (!options.javaScriptEnabled) return
      await expectToFit(page, `${name}-${lang}-${width}`)
      expect(await violationsOn(page)).toEqual([])
    }
    await page.goto(link)
    await look('payment-link')
    await page.click('button.button')
    await look('wallets')
    await page.click('.wallets li:last-child a')
    await look('wallet-sheet')
    await page.click('button.button')
    expect(await page.innerText('h1')).toContain(done)
    expect(await page.innerText('main')).toContain('Google Pay')
    await look('receipt-of-wallet')
    expect(problems).toEqual([])
  },
)

test('a link without remaining uses shows a message', async () => {
  const { page } = await browser.open({ locale: 'sv', bypassCSP: true })
  await page.goto(link)
  expect(await page.innerText('main')).toContain('Betalningen är redan gjord.')
  await expectToFit(page, 'payment-link-used-up')
  expect(await violationsOn(page)).toEqual([])
})

test('in forced colours a wallet button has the border of the payment methods', async () => {
  const { url } = await control('POST', '/payment-links', {
    amount: '1.00',
    currency: 'sek',
    payment_ref: 'forced-{n}',
  })
  const { page } = await browser.open({ forcedColors: 'active' })
  await page.goto(url)
  await page.click('button.button')
  const look = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(each)
        return [borderTopStyle, borderTopWidth]
      })
  expect(await look('.wallets a')).toEqual(await look('.methods'))
})
