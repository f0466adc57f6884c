/**
 * Tests that a new user finds each fault of a shop from the home page `/` with at most three
 * clicks.
 */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { newSubscription } from '../gateway/subscriptions/new-subscription.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { clientAt, type Fields, payment, prepared } from '../helpers/gateway.ts'
import { callControl, runInMemory } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'
import { until } from '../helpers/sink.ts'
import { freePort } from '../setup/free-port.ts'

const KEY = 'a-key-of-our-own'

const gateway = await share(runInMemory('--control-key', KEY))
const browser = await launchBrowser()
const shop = clientAt(gateway.url, gateway.merchant)

const pay = (over: Fields, headers = {}) => shop.post('/v1/transactions', payment(over), headers)

/** Calls the control API. Resolves with the answer as text. */
const control = async (method: string, path: string, fields?: object) =>
  JSON.stringify(await callControl(gateway, method, path, fields))

const order = {
  merchantId: '1',
  paymentRef: 'A1',
  customerRef: '',
  amount: '10.00',
  currency: 'sek',
  test: true,
}

/** A fault of the shop, the clicks after `/`, and the text on the last page. */
const FAULTS: readonly [
  fault: string,
  plant: () => Promise<unknown>,
  clicks: readonly string[],
  told: RegExp,
][] = [
  [
    'hashes with the password in place of the secret',
    () => pay({ payment_ref: 'A1', hash: requestHash(order, gateway.merchant.password) }),
    ['Open the console', 'rejected: Hash'],
    /the API password/,
  ],
  [
    'forgets test in the hash',
    () =>
      pay({
        payment_ref: 'A1',
        hash: requestHash({ ...order, test: false }, gateway.merchant.secret),
      }),
    ['Open the console', 'The hash does not cover everything'],
    /leaves out .*test/,
  ],
  [
    'has a handler that is not running',
    async () => {
      const url = `http://127.0.0.1:${await freePort()}/hook`
      await pay({ webhook: JSON.stringify({ url, trigger: 'payment' }) })
      await until(async () => (await control('GET', '/webhooks/notifications')).includes(url))
    },
    ['Open the console', 'failed permanently'],
    /No server listens at 127\.0\.0\.1:\d+\. Start the shop/,
  ],
  [
    'waits for a payer who has left the bank’s page',
    async () => {
      const { href } = (await shop.post('/v1/transactions', prepared({ payment_ref: 'left' }))).body
      const { page } = await browser.open()
      await page.goto(href)
      await page.fill('#card_number', '4000 0000 0000 1091')
      await page.fill('#card_holder', 'Kim Berg')
      await page.fill('#card_expiry', '12/38')
      await page.fill('#card_cvv', '200')
      await page.locator('#mondidopayform button').first().click()
      await until(async () => (await control('GET', '/payments')).includes('3ds pending'))
    },
    ['Open the console', '1 payment at the bank for 3-D Secure', 'left'],
    /is at the bank, which asks for 3-D Secure/,
  ],
  [
    'has a subscription whose charge is declined',
    async () => {
      await newSubscription(shop)
      await control('POST', '/payments/next', { outcome: 'errors.payment.declined', times: 2 })
      await control('POST', '/clock/advance', { days: 2 })
    },
    ['Open the console', 'Subscription 1 is unpaid'],
    /Payment declined.*use another one: PUT \/v1\/subscriptions\/1/s,
  ],
  [
    'has left a fault switched on',
    async () => {
      await control('POST', '/faults', { merchant_id: 1, kind: 'drop', times: 0 })
      await pay({ payment_ref: 'dropped' }).catch(() => {})
    },
    ['Open the console', 'Switched on for tests'],
    /A closed connection.*all requests, 1 so far, until it is deleted.*Delete/s,
  ],
]

test.each(FAULTS)(
  'the console shows cause and fix, within three clicks, of a shop that %s',
  async (_fault, plant, clicks, told) => {
    expect(clicks.length).toBeLessThanOrEqual(3)
    await control('POST', '/reset')
    await control('POST', '/clock/resume', { real: true, force: true })
    await plant()
    const { page } = await browser.open()
    await page.goto(gateway.url)
    for (const text of clicks) await click(page, text)
    expect(await page.innerText('main')).toMatch(told)
  },
)

/**
 * Clicks the first link or button in the menu or the page that has this text, or else the first
 * link that contains it.
 */
async function click(page: Page, text: string): Promise<void> {
  const named = { name: text, exact: true }
  const exact = page.getByRole('link', named).or(page.getByRole('button', named))
  const link = ((await exact.count()) > 0 ? exact : page.getByRole('link', { name: text })).first()
  if ((await link.count()) === 0)
    throw new Error(`${page.url()} has no link ${text}:\n${await page.innerText('main')}`)
  await link.click()
  await page.waitForLoadState('domcontentloaded')
}
