/** Tests of the console in a browser: a user's tasks, and the appearance of its pages. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Client, clientAt, payment } from '../helpers/gateway.ts'
import { freePort } from '../setup/free-port.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

const KEY = 'a-key-of-our-own'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Client
beforeAll(async () => {
  const port = await freePort()
  const flags = ['--memory', '--port', String(port), '--control-key', KEY]
  gateway = await runGateway(flags, { LOG_LEVEL: 'silent' }, () => {})
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

const VIEWS = [
  ['a phone in the dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
  ['a desktop', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
] as const

describe.each(VIEWS)('on %s', (_name, view) => {
  test('axe finds no accessibility problem, and no page scrolls sideways', {
    timeout: 600_000,
  }, async () => {
    const { page, problems } = await browser.open(view)
    await page.goto(`${gateway.url}/console/login`)
    const shown = async (address: string) => {
      await page.goto(address)
      expect([address, await violationsOn(page)]).toEqual([address, []])
      await expectToFit(
        page,
        `console${new URL(address).pathname.replace(/\W/g, '-')}-${view.viewport.width}`,
      )
    }
    await shown(`${gateway.url}/console/login`)
    await logIn(page, 'admin', KEY)
    const menu = await linksIn(page, 'nav')
    await page.goto(`${gateway.url}/console/1`)
    const pages = [...new Set([...menu, ...(await linksIn(page, 'nav'))])]
    for (const address of pages) await shown(address)
    // Opens the page of the first object of each list.
    for (const address of pages) {
      await page.goto(address)
      const [first] = await linksIn(page, 'main td:first-child')
      if (first !== undefined) await shown(first)
    }
    expect(problems).toEqual([])
  })
})

const linksIn = (page: Page, selector: string) =>
  page
    .locator(`${selector} a`)
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
