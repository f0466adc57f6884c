/**
 * Tests that a new user finds each fault of a shop from the home page `/` with at most three
 * clicks.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Client, clientAt, type Fields, payment, prepared } from '../helpers/gateway.ts'
import { openSink, type Sink } from '../helpers/sink.ts'
import { someOf } from '../helpers/some.ts'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Client
let handler: Sink
beforeAll(async () => {
  const control = ['--control-key', 'a-key-of-our-own']
  gateway = await runGateway(
    ['--memory', '--port', '0', ...control],
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

const pay = (over: Fields) => shop.post('/v1/transactions', payment(over))
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
    ['Console', 'at POST /v1/transactions'],
    /amount/,
  ],
  [
    'hashes with the password in place of the secret',
    () => pay({ payment_ref: 'A1', hash: requestHash(order, gateway.merchant.password) }),
    ['Console', 'at POST /v1/transactions', 'POST /v1/transactions'],
    /the API password/,
  ],
  [
    'forgets test in the hash',
    () =>
      pay({
        payment_ref: 'A1',
        hash: requestHash({ ...order, test: false }, gateway.merchant.secret),
      }),
    ['Console', 'The hash does not cover everything'],
    /leaves out .*test/,
  ],
  [
    'has a handler that answers 302',
    () => payWithWebhook({ payment_ref: 'moved' }, 302),
    ['Console', 'Deliveries', 'payment'],
    /302/,
  ],
  [
    'has a handler that fails',
    () => payWithWebhook({ payment_ref: 'broken' }, 500),
    ['Console', 'Deliveries', 'payment'],
    /500/,
  ],
  [
    'sends the same order twice',
    async () => {
      await pay({ payment_ref: 'twice' })
      await pay({ payment_ref: 'twice' })
    },
    ['Console', 'at POST /v1/transactions'],
    /146,? errors\.payment_ref\.processed/,
  ],
  [
    'writes amounts with a comma',
    () => pay({ payment_ref: 'comma', amount: '10,00' }),
    ['Console', 'at POST /v1/transactions'],
    /1090,? errors\.amount\.invalid_format/,
  ],
  [
    'captures more than was reserved',
    async () => {
      const { id } = (await pay({ payment_ref: 'reserved', authorize: true })).body
      await shop.put(`/v1/transactions/${id}/capture`, { amount: '11.00' })
    },
    ['Console', 'at PUT /v1/transactions/:id/capture'],
    /134,? errors\.amount\.excess/,
  ],
  [
    'leaves the currency out of the hash',
    () =>
      pay({
        payment_ref: 'open',
        hash: requestHash({ ...order, paymentRef: 'open', currency: '' }, gateway.merchant.secret),
      }),
    ['Console', 'at POST /v1/transactions'],
    /The currency was left out/,
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
    ['Console', 'One event is sent to the same address twice'],
    /receives the event as payment and payment_success/,
  ],
  [
    'has its payers declined',
    async () => pay({ payment_ref: 'declined', card_cvv: '201' }),
    ['Console', 'declined', 'The whole timeline'],
    /declined by the bank, error 129/,
  ],
  [
    'waits for a payer who has not paid yet',
    async () => shop.post('/v1/transactions', prepared({ payment_ref: 'waiting' })),
    ['Console', 'waiting', 'The whole timeline'],
    /Pay it: on its payment page/,
  ],
]

test.each(someOf(FAULTS, 2))(
  'the console shows cause and fix, within three clicks, of a shop that %s',
  async (_fault, plant, clicks, told) => {
    expect(clicks.length).toBeLessThanOrEqual(3)
    const reset = await fetch(`${gateway.url}/_control/reset`, {
      method: 'POST',
      headers: { 'x-control-key': 'a-key-of-our-own' },
    })
    expect(reset.status).toBe(200)
    await plant()
    const page = await atHome()
    for (const text of clicks) await click(page, text)
    expect(await page.innerText('main')).toMatch(told)
  },
)

/** Logs in to the console, and opens the home page `/`. */
async function atHome(): Promise<Page> {
  const { page } = await browser.open()
  await page.goto(`${gateway.url}/console`)
  await page.fill('[name=username]', '1')
  await page.fill('[name=password]', gateway.merchant.password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL('**/console/1')
  await page.goto(gateway.url)
  return page
}

/**
 * Clicks the first link in the menu or the page that has this text, or else the first that contains
 * it.
 */
async function click(page: Page, text: string): Promise<void> {
  const exact = page.getByRole('link', { name: text, exact: true })
  const link = ((await exact.count()) > 0 ? exact : page.getByRole('link', { name: text })).first()
  if ((await link.count()) === 0)
    throw new Error(`${page.url()} has no link ${text}:\n${await page.innerText('main')}`)
  await link.click()
  await page.waitForLoadState('domcontentloaded')
}
