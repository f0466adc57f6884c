/**
 * Emulation of Android SDK 1.0: its web view posts the order, and reads the result from the address
 * of each page. With `--preset android` the payment page keeps the address of the form.
 */

import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { launchBrowser } from '../helpers/browser.ts'
import { CARD } from '../helpers/gateway.ts'
import { serve } from '../helpers/listening.ts'
import { runInMemory } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'

const gateway = await share(runInMemory('--preset', 'android'))
const shop = await share(serve((_request, response) => response.end('Back in the app')))
const browser = await launchBrowser()

let orders = 0

/**
 * Posts an order as the SDK does.
 * @returns the page, and the reports of the SDK to the app, in order
 */
async function startPayment() {
  const form = `${gateway.url}/v1/form`
  const { id, secret } = gateway.merchant
  const order = { merchant_id: String(id), order_id: `app${++orders}`, amount: '10.00' }
  const fields = {
    ...order,
    currency: 'sek',
    hash: createHash('md5')
      .update(Object.values(order).join('') + secret)
      .digest('hex'),
    success_url: `${shop.url}/thanks`,
    error_url: `${shop.url}/sorry`,
    test: 'true',
  }
  const { page, problems } = await browser.open()
  await page.goto('about:blank')
  const reports: string[] = []
  page.on('load', () => reports.push(reportOf(page.url(), form)))
  await page.evaluate(
    ([action, values]) => {
      const posted = Object.assign(document.createElement('form'), { method: 'post', action })
      for (const [name, value] of Object.entries(values))
        posted.append(
          Object.assign(document.createElement('input'), { type: 'hidden', name, value }),
        )
      document.body.append(posted)
      posted.submit()
    },
    [form, fields] as const,
  )
  await page.waitForSelector('#mondidopayform')
  await page.waitForLoadState()
  return { page, reports, problems }
}

/**
 * Returns the report of the SDK for a loaded page, by the SDK's own rules in their order
 * (WebViewClient.onPageFinished).
 */
function reportOf(address: string, form: string): string {
  if (address.includes('status=approved')) return 'paymentSuccess'
  if (address.includes('status=declined')) return 'paymentFailed'
  return address === form ? 'paymentStarted' : `paymentError at ${address}`
}

async function pay(page: Page, over: Partial<typeof CARD> = {}) {
  for (const [name, value] of Object.entries({ ...CARD, ...over }))
    await page.fill(`#${name}`, value)
  await page.click('#mondidopayform button')
}

const bankOf = (page: Page) => page.frameLocator('iframe.bank-frame')
const backInApp = (page: Page) => page.waitForURL(`${shop.url}/**`)

describe('an app with Android SDK 1.0', () => {
  test('sees that the payment starts and succeeds', async () => {
    const { page, reports, problems } = await startPayment()
    await pay(page)
    await backInApp(page)
    expect(reports).toEqual(['paymentStarted', 'paymentSuccess'])
    expect(problems).toEqual([])
  })

  test('sees that the payment succeeds after 3-D Secure pages in a frame', async () => {
    const { page, reports, problems } = await startPayment()
    await pay(page, { card_number: '4000000000001091' })
    await bankOf(page).locator('[data-testid=bank-code]').fill('1234')
    await bankOf(page).locator('[data-testid=bank-code]').press('Enter')
    await backInApp(page)
    expect(reports).toEqual(['paymentStarted', 'paymentStarted', 'paymentSuccess'])
    expect(problems).toEqual([])
  })

  test('sees no error for a wrong field, and the payer pays afterwards', async () => {
    const { page, reports } = await startPayment()
    await page.evaluate(() => document.querySelector('form.pay')?.setAttribute('novalidate', ''))
    await page.$eval('#mondidopayform', (form) => (form as HTMLFormElement).submit())
    await page.waitForSelector('#problems li')
    await page.waitForLoadState()
    await pay(page)
    await backInApp(page)
    expect(reports).toEqual(['paymentStarted', 'paymentStarted', 'paymentSuccess'])
  })

  test('opens another payment method, whose page has its own address', async () => {
    const { page } = await startPayment()
    await page.click('a[href*="payment.selected=swish"]')
    await page.waitForURL(/\/v1\/form\/[\w-]+\?/)
    expect(await page.locator('#swishform').count()).toBe(1)
  })
})
