/**
 * Accessibility trees of each journey of a payer, as screen readers get them, compared with golden
 * files. `npx vitest run -u --project browser test/browser/accessibility-trees.test.ts` writes the
 * golden files again.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { cardOf } from '../gateway/three-d-secure/payer.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Client, clientAt, prepared } from '../helpers/gateway.ts'
import { freePort } from '../setup/free-port.ts'

let gateway: RunningGateway
let browser: TestBrowser
let shop: Client
/** Shop that answers every return address with the same page. */
const shopPages = createServer((_request, response) => {
  response.setHeader('Content-Type', 'text/html').end('<title>Shop</title><h1>Shop</h1>')
})
beforeAll(async () => {
  const port = await freePort()
  const flags = ['--memory', '--port', String(port)]
  gateway = await runGateway(flags, { LOG_LEVEL: 'silent' }, () => {})
  shop = clientAt(gateway.url, gateway.merchant)
  browser = await launchBrowser()
  await once(shopPages.listen(0), 'listening')
})
afterAll(async () => {
  shopPages.close().closeAllConnections()
  await gateway.close()
})

const CARD = {
  card_number: '4111111111111111',
  card_holder: 'Åsa Öberg',
  card_expiry: '12/38',
  card_cvv: '200',
}

const ITEMS = JSON.stringify([
  { artno: '1', description: 'A blanket of wool', amount: '200.00', qty: '1', vat: '25' },
  { artno: '2', description: 'Candles', amount: '50.00', qty: '2', vat: '25' },
])

/** Opens the page of a new order. */
async function openOrder() {
  const at = `http://localhost:${(shopPages.address() as AddressInfo).port}`
  const { page } = await browser.open()
  const { body } = await shop.post(
    '/v1/transactions',
    prepared({
      amount: '250.00',
      items: ITEMS,
      locale: 'en',
      success_url: `${at}/thanks`,
      error_url: `${at}/sorry`,
    }),
  )
  await page.goto(body.href)
  return { page, href: String(body.href) }
}

async function fill(page: Page, over: Partial<typeof CARD> = {}) {
  for (const [name, value] of Object.entries({ ...CARD, ...over }))
    await page.fill(`#${name}`, value)
}

/** Replaces ids, dates and other texts that differ between runs. */
const steady = (tree: string) =>
  tree
    .replaceAll(gateway.url, 'https://gateway.example')
    .replaceAll(/order-\d+/g, 'order-1')
    .replaceAll(/\d+ \w+ \d{4}(, \d\d:\d\d)?( UTC)?/g, '14 March 2026')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'request-id')
    .replaceAll(/\/(form|acs)\/[\w-]{20,}/g, '/$1/token')
    .replaceAll(/http:\/\/localhost:\d+\//g, 'https://shop.example/')
    .replaceAll(/\?transaction_id=\d+&\S+/g, '?parameters')
    .replaceAll(/(definition): "\d{1,3}"/g, '$1: "1"')

const expectTree = async (page: Page, name: string) =>
  expect(`${steady(await page.locator('body').ariaSnapshot())}\n`).toMatchFileSnapshot(
    `accessibility-trees/${name}.yml`,
  )

test('screen readers get the recorded trees of a card payment: form, mistakes, receipt', async () => {
  const { page, href } = await openOrder()
  await expectTree(page, 'card-form')
  await page.click('#mondidopayform .button')
  await page.waitForSelector('[role=alert]')
  await expectTree(page, 'card-mistakes')
  await fill(page)
  await page.click('#mondidopayform .button')
  await page.waitForSelector('h1 >> text=Shop')
  await page.goto(href)
  await expectTree(page, 'receipt')
})

test('screen readers get the recorded trees of 3-D Secure: the challenge, a wrong code, the electronic ID and its app', async () => {
  const { page } = await openOrder()
  await fill(page, { card_number: cardOf(10) })
  await page.click('#mondidopayform .button')
  await page.waitForSelector('#code')
  await expectTree(page, 'three-d-secure')
  await page.fill('#code', '1111')
  await page.click('[data-testid=bank-confirm]')
  await page.waitForSelector('#code_problem')
  await expectTree(page, 'three-d-secure-wrong-code')
  const other = await openOrder()
  await fill(other.page, { card_number: cardOf(24) })
  await other.page.click('#mondidopayform .button')
  await other.page.waitForSelector('.qr')
  await expectTree(other.page, 'electronic-id')
  await other.page.goto((await other.page.getAttribute('[data-testid=bank-app]', 'href')) ?? '')
  await expectTree(other.page, 'electronic-id-app')
})

test('screen readers get the recorded trees of an invoice: form, address, receipt', async () => {
  const { page, href } = await openOrder()
  await page.click('.methods >> text=Invoice')
  await page.waitForSelector('#personal_number')
  await expectTree(page, 'invoice-form')
  await page.fill('#email', 'anna@example.com')
  await page.fill('#phone', '0701234567')
  await page.selectOption('#country_code', 'SWE')
  await page.fill('#personal_number', '198112189876')
  await page.click('#invoiceform .button')
  await page.waitForSelector('#address')
  await expectTree(page, 'invoice-address')
  for (const [name, value] of [
    ['first_name', 'Anna'],
    ['last_name', 'Berg'],
    ['address_1', 'Storgatan 1'],
    ['zip', '11122'],
    ['city', 'Stockholm'],
    ['personal_number', '198112189876'],
  ] as const)
    await page.fill(`#${name}`, value)
  await page.click('#invoiceform .button')
  await page.waitForSelector('h1 >> text=Shop')
  await page.goto(href)
  await expectTree(page, 'invoice-receipt')
})

test('screen readers get the recorded trees of a declined payment, and of an unknown payment with a link back', async () => {
  const { page, href } = await openOrder()
  await fill(page, { card_cvv: '201' })
  await page.click('#mondidopayform .button')
  await page.waitForSelector('h1 >> text=Shop')
  await page.goto(href)
  await expectTree(page, 'declined')
  await page.goto(`${href}x?lang=en`)
  await expectTree(page, 'unknown-payment')
  await page.click('#previous')
  await page.waitForSelector('#mondidopayform')
})
