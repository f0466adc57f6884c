/**
 * Tests that the receipt, the stored cards and the bank's page write cards, dates and amounts in
 * the same way.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import {
  CARD,
  type Client,
  clientAt,
  encode,
  type Fields,
  payment,
  prepared,
} from '../helpers/gateway.ts'
import { freePort } from '../setup/free-port.ts'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Client
beforeAll(async () => {
  gateway = await runGateway(
    ['--memory', '--port', String(await freePort())],
    { LOG_LEVEL: 'silent' },
    () => {},
  )
  browser = await launchBrowser()
  shop = clientAt(gateway.url, gateway.merchant)
})
afterAll(() => gateway.close())

/** Returns the address of the receipt of a payment. */
async function receipt(over: Fields = {}): Promise<string> {
  const { body } = await shop.post('/v1/transactions', payment({ locale: 'en', ...over }))
  expect(body.status).toBe('approved')
  return body.href
}

/** Returns the address of the bank's page for a payment with a challenge. */
async function bank(over: Fields = {}): Promise<string> {
  const { href } = (await shop.post('/v1/transactions', prepared({ locale: 'en', ...over }))).body
  const sent = await fetch(href, {
    method: 'POST',
    body: encode({ ...CARD, card_number: '4000000000001091' }),
  })
  return sent.url
}

async function storedCards(): Promise<string> {
  const customer_ref = `payer${Math.random()}`
  await shop.post('/v1/transactions', payment({ customer_ref, store_card: true }))
  return (await shop.post('/v1/transactions', prepared({ locale: 'en', customer_ref }))).body.href
}

const marksLoaded = (page: Page, where: string) =>
  page
    .locator(`${where} img`)
    .evaluateAll((images) => images.map((each) => (each as HTMLImageElement).naturalWidth > 0))

test.each([
  ['the receipt', receipt, 'dd:has(img)', 'Visa •••• 1111'],
  ['the bank', bank, 'dd:has(img)', 'Visa •••• 1091'],
  ['the stored cards', storedCards, '#saved-cards label:has(img)', 'Visa •••• 1111 expires 12/30'],
] as const)(
  'a card is shown as logo, brand and four digits on %s',
  async (_where, addressOf, place, text) => {
    const { page, problems } = await browser.open()
    await page.goto(await addressOf())
    expect((await page.innerText(place)).replace(/\s+/g, ' ').trim()).toBe(text)
    expect(await marksLoaded(page, place)).toEqual([true])
    expect(problems).toEqual([])
  },
)

test('the receipt and the bank’s page write dates and amounts in the same way, in both languages', async () => {
  for (const [locale, date, amount] of [
    ['en', /\b\d{1,2} [A-Z][a-z]{2,3} \d{4}\b/, 'SEK 1,250.00'],
    ['sv', /\b\d{1,2} [a-zåäö]{3,5}\.? \d{4}\b/, '1 250,00 kr'],
  ] as const)
    for (const addressOf of [receipt, bank]) {
      const { page } = await browser.open()
      await page.goto(await addressOf({ locale, amount: '1250.00' }))
      expect(await page.innerText('main')).toMatch(date)
      expect((await page.innerText('main')).replace(/\s/g, ' ')).toContain(amount)
    }
})

describe('the time on a receipt', () => {
  test.each([
    ['is the payer’s own', { timezoneId: 'Asia/Tokyo' }, 'GMT+9', 9],
    [
      'is universal time without JavaScript, with that label',
      { timezoneId: 'Asia/Tokyo', javaScriptEnabled: false },
      'UTC',
      0,
    ],
  ] as const)('%s', async (_what, options, zone, hours) => {
    const { page } = await browser.open(options)
    await page.goto(await receipt())
    const time = page.locator('time')
    const at = new Date(Date.parse((await time.getAttribute('datetime')) ?? '') + hours * 3_600_000)
    const clock = at.toISOString().slice(11, 16)
    await expect.poll(() => time.innerText()).toContain(`${clock} ${zone}`)
    expect(await time.innerText()).toContain(String(at.getUTCDate()))
  })
})
