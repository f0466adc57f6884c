/** Tests of the console in a browser: a user's tasks, and the appearance of its pages. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningGateway } from '../../mock-gateway/cli.ts'
import { ADMINISTRATOR_MENU, merchantMenu } from '../../mock-gateway/web/console/sections.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Client, clientAt, payment } from '../helpers/gateway.ts'
import { runInMemory } from '../helpers/running.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

const KEY = 'a-key-of-our-own'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Client
beforeAll(async () => {
  gateway = await runInMemory('--control-key', KEY)
  browser = await launchBrowser()
  shop = clientAt(gateway.url, gateway.merchant)
  const webhook = `{"url":"${gateway.url.replace(/\d+$/, '9')}/nobody","trigger":"payment","http_method":"post","data_format":"json"}`
  await shop.post('/v1/transactions', payment({ webhook }))
  const mail = '{"email":"shop@shop.example","trigger":"payment","type":"email"}'
  await shop.post('/v1/transactions', payment({ card_cvv: '201', webhook: mail }))
  const plan = {
    name: 'Gold',
    interval: 1,
    interval_unit: 'months',
    periods: 12,
    prices: '{"sek":"99.00"}',
  }
  const { body } = await shop.post('/v1/plans', plan)
  await shop.post(
    '/v1/transactions',
    payment({ amount: '0.00', plan_id: body.id, customer_ref: 'anna', store_card: true }),
  )
  await shop.post('/v1/transactions', payment({ hash: 'wrong' }))
})
afterAll(() => gateway.close())

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto(`${gateway.url}/console`)
  await page.fill('[name=username]', username)
  await page.fill('[name=password]', password)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(/\/console\/\w+$/)
}

test('a rejected request is sent again with a correct hash, and a page template is edited next to its preview', async () => {
  const { page } = await browser.open()
  await logIn(page, '1', gateway.merchant.password)
  const { headers } = await shop.post(
    '/v1/transactions',
    payment({ payment_ref: 'send-me-again', hash: 'wrong' }),
  )
  await page.goto(`${gateway.url}/console/1/requests/${headers.get('x-request-id')}`)
  await page.click('main >> text=Send again')
  await page.fill('[name="field[amount]"]', '77.00')
  await page.click('main button >> text=Send')
  expect(await page.innerText('[role=status]')).toContain('This page shows it with its answer.')
  expect(await page.innerText('main')).toContain('"amount": "77.00"')

  await page.goto(`${gateway.url}/console/1/templates`)
  await page.click('main >> text=Card form')
  const look = page.frameLocator('iframe[name=look]')
  expect(await look.locator('button').innerText()).toBe('Pay 77.00 SEK')
  await page.fill('[name=source]', '<h1>Hello {{ transaction.payment_ref }}</h1>')
  await page.click('text=Show the preview')
  await look.locator('text=Hello send-me-again').waitFor()
})

/** Every page of the menus, for a merchant and for the administrator. */
const PAGES = [
  ...Object.values(merchantMenu({ local: true }))
    .flatMap((tabs) => Object.keys(tabs))
    .map((path) => `/console/1/${path}`),
  ...Object.values(ADMINISTRATOR_MENU)
    .flatMap((tabs) => Object.keys(tabs))
    .map((path) => `/console/${path}`),
]

const LOOKS = [
  { viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
] as const

test.each(PAGES.map((path, index) => [path, LOOKS[index % LOOKS.length]] as const))(
  'axe finds no accessibility problem on %s and on its first object, and no page scrolls sideways',
  async (path, look) => {
    const { page, problems } = await browser.open(look)
    await logIn(page, 'admin', KEY)
    const expectGood = async (address: string) => {
      await page.goto(address)
      expect([address, await violationsOn(page)]).toEqual([address, []])
      await expectToFit(page, address.slice(gateway.url.length).replace(/\W+/g, '-'))
    }
    await expectGood(gateway.url + path)
    const first = page.locator('main td:first-child a').first()
    if ((await first.count()) > 0)
      await expectGood(await first.evaluate((link) => (link as HTMLAnchorElement).href))
    expect(problems).toEqual([])
  },
)
