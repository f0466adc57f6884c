/**
 * Tests that a new user finds each fault of a shop from the home page `/` with at most three
 * clicks.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { newSubscription } from '../gateway/subscriptions/new-subscription.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import {
  authorizationOf,
  type Client,
  clientAt,
  type Fields,
  payment,
  prepared,
} from '../helpers/gateway.ts'
import { openSink, type Sink, until } from '../helpers/sink.ts'
import { freePort } from '../setup/free-port.ts'

const KEY = 'a-key-of-our-own'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Client
let handler: Sink
beforeAll(async () => {
  gateway = await runGateway(
    ['--memory', '--port', '0', '--control-key', KEY],
    { LOG_LEVEL: 'silent' },
    () => {},
  )
  browser = await launchBrowser()
  shop = clientAt(gateway.url, gateway.merchant)
  handler = await openSink()
})
afterAll(async () => {
  await handler.close()
  await gateway.close()
})

const pay = (over: Fields, headers = {}) => shop.post('/v1/transactions', payment(over), headers)

/** Calls the control API. Resolves with the text of the answer. */
async function control(method: string, path: string, fields?: object): Promise<string> {
  const answer = await fetch(`${gateway.url}/_control${path}`, {
    method,
    headers: { 'x-control-key': KEY, 'content-type': 'application/json' },
    body: fields === undefined ? null : JSON.stringify(fields),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text
}
const order = {
  merchantId: '1',
  paymentRef: 'A1',
  customerRef: '',
  amount: '10.00',
  currency: 'sek',
  test: true,
}

/** Pays an order whose webhook is answered with a status. Resolves after the call. */
async function payWithWebhook(over: Fields, status: number): Promise<void> {
  handler.answer(status)
  const before = handler.received.length
  await pay({ webhook: JSON.stringify({ url: handler.url, trigger: 'payment' }), ...over })
  await handler.calls(before + 1)
}

/** A fault of the shop, the clicks after `/`, and the text on the last page. */
const FAULTS: readonly [
  fault: string,
  plant: () => Promise<unknown>,
  clicks: readonly string[],
  told: RegExp,
][] = [
  [
    'hashes another amount than it sends',
    () =>
      pay({
        payment_ref: 'A1',
        hash: requestHash({ ...order, amount: '10' }, gateway.merchant.secret),
      }),
    ['Open the console', 'at POST /v1/transactions'],
    /amount/,
  ],
  [
    'hashes with the password in place of the secret',
    () => pay({ payment_ref: 'A1', hash: requestHash(order, gateway.merchant.password) }),
    ['Open the console', 'at POST /v1/transactions', 'POST /v1/transactions'],
    /the API password/,
  ],
  [
    'has a handler that fails',
    () => payWithWebhook({ payment_ref: 'broken' }, 500),
    ['Open the console', 'Webhooks', '1'],
    /500/,
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
    'has its payers declined',
    async () => pay({ payment_ref: 'declined', card_cvv: '201' }),
    ['Open the console', 'declined', 'The whole timeline'],
    /declined by the bank, error 129/,
  ],
  [
    'has a handler that answers 302',
    () => payWithWebhook({ payment_ref: 'moved' }, 302),
    ['Open the console', 'Webhooks', '1'],
    /302/,
  ],
  [
    'logs in with a wrong password',
    () => pay({}, { authorization: authorizationOf({ id: 1, password: 'custom01' }) }),
    ['Open the console', '1 login with the id of this merchant failed'],
    /Login failed.*Correct the password in your shop/s,
  ],
  [
    'sends the same order twice',
    async () => {
      await pay({ payment_ref: 'twice' })
      await pay({ payment_ref: 'twice' })
    },
    ['Open the console', 'at POST /v1/transactions'],
    /146,? errors\.payment_ref\.processed/,
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
    'writes amounts with a comma',
    () => pay({ payment_ref: 'comma', amount: '10,00' }),
    ['Open the console', 'at POST /v1/transactions'],
    /1090,? errors\.amount\.invalid_format/,
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
    'captures more than was reserved',
    async () => {
      const { id } = (await pay({ payment_ref: 'reserved', authorize: true })).body
      await shop.put(`/v1/transactions/${id}/capture`, { amount: '11.00' })
    },
    ['Open the console', 'at PUT /v1/transactions/:id/capture'],
    /134,? errors\.amount\.excess/,
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
    'leaves the currency out of the hash',
    () =>
      pay({
        payment_ref: 'open',
        hash: requestHash({ ...order, paymentRef: 'open', currency: '' }, gateway.merchant.secret),
      }),
    ['Open the console', 'at POST /v1/transactions'],
    /The currency was left out/,
  ],
  [
    'has a capture that the bank declines later',
    async () => {
      const { id } = (await pay({ payment_ref: 'slow', authorize: true })).body
      await control('POST', '/captures/next', { outcome: 'errors.payment.declined', seconds: 60 })
      await shop.put(`/v1/transactions/${id}/capture`, { amount: '10.00' })
      await control('POST', '/clock/advance', { seconds: 60 })
    },
    ['Open the console', 'The capture of transaction 1 failed'],
    /The bank declined the capture\. No money was taken/,
  ],
  [
    'has one webhook called twice',
    async () => {
      const one = { url: handler.url, trigger: 'payment' }
      await payWithWebhook(
        { webhook: JSON.stringify([one, { ...one, trigger: 'payment_success' }]) },
        200,
      )
    },
    ['Open the console', 'One event is sent to the same address twice'],
    /receives the event as payment and payment_success/,
  ],
  [
    'has left a fault switched on',
    async () => {
      await control('POST', '/faults', { merchant_id: 1, kind: 'drop', times: 0 })
      await pay({ payment_ref: 'dropped' }).catch(() => {})
    },
    ['Open the console', 'Injected fault'],
    /drop\s+all requests\s+1 so far, until it is deleted.*Delete/s,
  ],
  [
    'waits for a payer who has not paid yet',
    async () => shop.post('/v1/transactions', prepared({ payment_ref: 'waiting' })),
    ['Open the console', 'waiting', 'The whole timeline'],
    /Pay it: on its payment page/,
  ],
  [
    'refunds more than was paid',
    async () => {
      const { id } = (await pay({ payment_ref: 'refunded' })).body
      await shop.post('/v1/refunds', { transaction_id: id, amount: '11.00', reason: 'Broken' })
    },
    ['Open the console', 'at POST /v1/refunds'],
    /134,? errors\.amount\.excess/,
  ],
  [
    'has left an outcome switched on',
    async () => {
      await control('POST', '/payments/next', { outcome: 'errors.payment.declined', times: 9 })
      await pay({ payment_ref: 'forced' })
    },
    ['Open the console', 'answer to the next 8 payments is forced'],
    /errors\.payment\.declined.*The administrator can delete it/s,
  ],
  [
    'shares a payment link that has expired',
    async () => {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString()
      const order = { amount: '10.00', currency: 'sek', payment_ref: 'link', expires_at }
      await control('POST', '/payment-links', order)
      await control('POST', '/clock/advance', { seconds: 7_200 })
    },
    ['Open the console', 'Payment link 1 has expired'],
    /The time to pay with this link has passed\. .*create a new link/,
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
