import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RunningGateway } from '../../mock-gateway/cli.ts'
import { ADMINISTRATOR_MENU, createMerchantMenu } from '../../mock-gateway/web/console/sections.ts'
import { buildScriptFromSource } from '../../mock-gateway/web/pages/script-from-source.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Client, clientAt, payment } from '../helpers/gateway.ts'
import { runInMemory } from '../helpers/running.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

/** Tests of the console in a browser: a user's tasks, and the appearance of its pages. */

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
  const payer = { customer_ref: 'anna', card_holder: 'W'.repeat(100), store_card: true }
  await shop.post('/v1/transactions', payment({ amount: '0.00', plan_id: body.id, ...payer }))
  // The first period is charged a moment later, and is then the newest payment.
  await vi.waitFor(async () => {
    expect((await shop.get('/v1/transactions')).body).toHaveLength(4)
  }, 30_000)
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
  await page.click('main >> text=New template')
  await page.click('main >> text=Card form')
  const look = page.frameLocator('iframe[name=look]')
  expect(await look.locator('button').innerText()).toBe('Pay 77.00 SEK')
  await page.fill('[name=source]', '<h1>Hello {{ transaction.payment_ref }}</h1>')
  await page.click('text=Show the preview')
  await look.locator('text=Hello send-me-again').waitFor()
})

/** Every page of the menus, for a merchant and for the administrator. */
const PAGES = [
  ...Object.values(createMerchantMenu(true))
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

describe('live updates', () => {
  beforeAll(async () => {
    gateway = await runInMemory()
    browser = await launchBrowser()
    shop = clientAt(gateway.url, gateway.merchant)
  })
  afterAll(() => gateway.close())

  async function at(path: string, options: Parameters<TestBrowser['open']>[0] = {}) {
    const { page, problems } = await browser.open(options)
    await page.goto(`${gateway.url}${path}`)
    await page.fill('[name=username]', '1')
    await page.fill('[name=password]', gateway.merchant.password)
    await page.press('[name=password]', 'Enter')
    await page.waitForURL(`**${path}`)
    return { page, problems }
  }

  const refsOn = (page: Page) =>
    page.locator('tbody [data-head="Order"] [data-copy]').allInnerTexts()

  const pay = (payment_ref: string, more = {}) =>
    shop.post('/v1/transactions', payment({ payment_ref, ...more }))

  describe('a list', () => {
    test('grows for two users at once, and keeps the place of each', async () => {
      await pay('seen-before')
      const [one, other] = [
        await at('/console/1/transactions'),
        await at('/console/1/transactions'),
      ]
      await one.page.waitForSelector('.state.good')
      await other.page.waitForSelector('.state.good')
      await one.page.fill('[name="filter[payment_ref]"]', '4111')
      await pay('seen-live')
      for (const { page } of [one, other]) await page.waitForSelector('tr.fresh >> text=seen-live')
      expect((await refsOn(one.page)).slice(0, 2)).toEqual(['seen-live', 'seen-before'])
      expect(await one.page.inputValue('[name="filter[payment_ref]"]')).toBe('4111')
      expect([one.problems, other.problems]).toEqual([[], []])
    })

    test('stops while it is paused, and shows the number of new rows', async () => {
      const { page, problems } = await at('/console/1/transactions')
      await page.waitForSelector('.state.good')
      await page.click('text=Pause')
      for (const ref of ['new-1', 'new-2', 'new-3']) await pay(ref)
      await page.click('text=3 new')
      expect((await refsOn(page)).slice(0, 3)).toEqual(['new-3', 'new-2', 'new-1'])
      expect(await page.getAttribute('button >> text=Pause', 'aria-pressed')).toBe('true')
      expect(await violationsOn(page)).toEqual([])
      expect(problems).toEqual([])
    })

    test('shows markup from a client as text, in every field (attack 30)', async () => {
      const { page, problems } = await at('/console/1/transactions')
      await page.waitForSelector('.state.good')
      const markup = '<img src=x onerror=alert(1)><b id=content>'
      await pay(markup)
      await page.waitForSelector('tr.fresh')
      expect((await refsOn(page))[0]).toBe(markup)
      expect(await page.locator('tbody img, tbody b').count()).toBe(0)
      expect(problems).toEqual([])
    })

    test('stops updates while it is hidden, and catches up afterwards', async () => {
      const { page } = await at('/console/1/transactions')
      await page.waitForSelector('.state.good')
      const hide = (hidden: boolean) =>
        page.evaluate((hidden) => {
          Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        }, hidden)
      await hide(true)
      await pay('while-asleep')
      await hide(false)
      await page.waitForSelector('tr.fresh >> text=while-asleep')
    })

    test('shows that the user is logged out after a logout in another window', async () => {
      const { page } = await at('/console/1/transactions')
      await page.waitForSelector('.state.good')
      const window = await page.context().newPage()
      await window.goto(`${gateway.url}/console/1`)
      await window.click('text=Log out')
      await page.waitForSelector('text=Not live')
    })
  })

  test("two users see each other's changes, each on a different page", async () => {
    const webhook =
      '{"url":"http://127.0.0.1:9/nobody","trigger":"payment","http_method":"post","data_format":"json"}'
    const { body } = await pay('watch-each-other', { authorize: true, webhook })
    const [one, other] = [
      await at('/console/1/webhooks'),
      await at(`/console/1/transactions/${body.id}`),
    ]
    for (const { page } of [one, other]) await page.waitForSelector('.state.good')
    const before = await one.page.locator('tbody tr').count()
    await other.page.click('main a >> text=Capture')
    await other.page.click('button >> text=Capture')
    await one.page.waitForFunction(
      (rows) => document.querySelectorAll('tbody tr').length > rows,
      before,
    )
    await other.page.waitForSelector('.state.good')
    await one.page.click('tbody a')
    await one.page.click('button >> text=Send again')
    await other.page.waitForSelector('summary >> text=×2')
    expect([one.problems, other.problems]).toEqual([[], []])
  })

  test('the page of a payment is updated after its changes, and open details stay open', async () => {
    const { body } = await pay('follow-me', { authorize: true })
    const { page } = await at(`/console/1/transactions/${body.id}`)
    await page.waitForSelector('.state.good')
    await page.click('text=As JSON')
    await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '10.00' })
    await page.waitForSelector('dt >> text=Captured')
    expect(await page.locator('aside details[open]').count()).toBe(1)
  })

  test('keyboard shortcuts move through a list and to the search, until the user turns them off', async () => {
    const { page } = await at('/console/1/transactions')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const first = await page.locator('tbody a').first().getAttribute('href')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(first)
    await page.keyboard.press('/')
    await page.keyboard.type('seen-before')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?*')
    await page.waitForSelector('#content >> text=Transactions by payment ref')
    await page.keyboard.press('?')
    expect(await page.innerText('dialog')).toContain('Go to the next row')
    expect(await violationsOn(page)).toEqual([])
    await page.click('dialog >> text=Turn on these keys')
    await page.click('dialog >> text=Close')
    await page.keyboard.press('?')
    expect(await page.locator('dialog[open]').count()).toBe(0)
  })

  test('ids and texts have a copy button', async () => {
    await pay('take-me-along')
    const { page } = await at('/console/1/transactions', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.hover('tbody tr')
    await page.click('[aria-label="Copy take-me-along"]')
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('take-me-along')
  })

  test('every console page works without JavaScript, but without live updates', async () => {
    const { page, problems } = await at('/console/1/transactions', {
      javaScriptEnabled: false,
      viewport: { width: 360, height: 640 },
    })
    expect(await page.locator('tbody time').first().innerText()).toMatch(/^\d\d:/)
    expect(await page.locator('.live button, .copy').count()).toBe(0)
    expect(await page.isVisible('nav >> text=Customers')).toBe(false)
    await page.click('button >> text=Menu')
    await page.click('nav >> text=Customers')
    expect(await page.innerText('h1')).toBe('Customers')
    expect(problems).toEqual([])
  })

  test('the script of the console has at most 8 KB', async () => {
    const source = await buildScriptFromSource('mock-gateway/web/console/scripts/console.ts')
    expect(gzipSync(source).length).toBeLessThan(8_192)
  })
})
