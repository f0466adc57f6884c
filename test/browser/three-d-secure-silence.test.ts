/** Tests of the payer's page while the payer is at the bank and the gateway's process is killed. */

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import { DEFAULT_MERCHANT } from '../../mock-gateway/merchants/seed.ts'
import { hurry, launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../helpers/program.ts'
import { freePort } from '../setup/free-port.ts'

const JQUERY = readFileSync(
  fileURLToPath(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url)),
)
const CONTROL_KEY = 'the-key-of-this-test'

let browser: TestBrowser
let server: Server
let gateway: Program
let base: string

beforeAll(async () => {
  browser = await launchBrowser()
  server = createServer(({ url }, response) => {
    const [type, body] =
      url === '/jquery.js' ? ['text/javascript', JQUERY] : ['text/html', shopPage()]
    response.writeHead(200, { 'content-type': `${type};charset=utf-8` }).end(body)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  const port = String(await freePort())
  base = `http://localhost:${port}`
  const flags = ['--memory', '--port', port, '--control-key', CONTROL_KEY]
  gateway = startProgram(GATEWAY_PROGRAM, flags, { LOG_LEVEL: 'silent' })
  await gateway.printed(/REST API/)
})
afterEach(() => gateway.stop('SIGKILL'))

/** Returns a shop's page with a card that gets a challenge. */
function shopPage(): string {
  const { id, secret } = DEFAULT_MERCHANT
  const order = {
    merchant_id: String(id),
    amount: '10.00',
    currency: 'sek',
    payment_ref: 'silence',
    test: 'true',
  }
  const parts = {
    merchantId: String(id),
    paymentRef: 'silence',
    customerRef: '',
    amount: '10.00',
    currency: 'sek',
  }
  const fields = {
    ...order,
    card_holder: 'Kim Berg',
    hash: requestHash({ ...parts, test: true }, secret),
  }
  const card = { card_number: '4000000000001091', card_cvv: '200', card_expiry: '1238' }
  const inputs = [
    ...Object.entries(fields).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    ),
    ...Object.entries(card).map(
      ([name, value]) => `<input data-encrypt-attribute="${name}" value="${value}">`,
    ),
  ]
  return `<!doctype html><html lang="en"><title>Shop</title><form id="pay">${inputs.join('')}<button>Pay</button></form>
    <ol id="told"></ol><script src="/jquery.js"></script>
    <script src="${base}/v2/mondido.js?merchant_id=${id}"></script>
    <script>
      const told = (text) => $('#told').append($('<li>').text(text))
      $('#pay').mondido({ type: 'ajax', showMessages: true })
        .on('mpi:close', (_event, { reason }) => told('mpi:close ' + reason))
        .on('payment:success', () => told('payment:success'))
        .on('payment:fail', (_event, { code, outcome, retryable }) => told([code, outcome, retryable].join(' ')))
    </script>`
}

/** @param speed of the page's timers, so that a test need not wait for the library's time limits */
async function openShop(speed = 5): Promise<Page> {
  const { page } = await browser.open()
  await hurry(page, speed)
  await page.goto(`http://shop.localhost:${(server.address() as AddressInfo).port}/`)
  return page
}

/** Presses the button, and returns the window that opens. */
async function press(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pay button')])
  return popup
}

/** Waits until the attempt has ended, and checks that nothing of it remains. */
async function expectEnd(page: Page, popup: Page): Promise<void> {
  await page.waitForSelector('#told li:nth-child(2)')
  expect(await page.locator('#told li').allInnerTexts()).toEqual([
    'mpi:close timeout',
    'mpi.unreachable not_sent true',
  ])
  expect(await page.locator('dialog').count()).toBe(0)
  expect(await page.innerText('.mondido-message:visible')).toBe(
    'The payment could not be made. Nothing was charged.',
  )
  await expect.poll(() => popup.isClosed()).toBe(true)
  expect(await page.getAttribute('#pay', 'data-mondido-state')).toBe('fail')
}

const atBank = (popup: Page) => popup.waitForSelector('[data-testid=bank-confirm]')

test('a gateway that is killed while the payer is at the bank ends the payment, and nothing is sent', async () => {
  const page = await openShop()
  const popup = await press(page)
  await atBank(popup)
  await gateway.stop('SIGKILL')
  await expectEnd(page, popup)
})

test('a gateway that stopped before the payment ends the attempt', async () => {
  const page = await openShop()
  await gateway.stop('SIGKILL')
  await expectEnd(page, await press(page))
})

test('a gateway that returns status 503 when 3-D Secure starts ends the attempt, and the next attempt reaches the bank', async () => {
  // Timers run at normal speed, because on a busy machine faster time limits would end the second
  // attempt, too.
  const page = await openShop(1)
  const headers = { 'x-control-key': CONTROL_KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({ kind: 'unavailable', method: 'post', path: '/v1/mpi_js' })
  expect((await fetch(`${base}/_control/faults`, { method: 'POST', headers, body })).status).toBe(
    200,
  )
  await expectEnd(page, await press(page))
  const popup = await press(page)
  await atBank(popup)
  await popup.fill('[data-testid=bank-code]', '1234')
  await popup.click('[data-testid=bank-confirm]')
  await page.waitForSelector('#told :text("payment:success")')
})

test('the panel has no button for a window that the payer closed', async () => {
  // Timers run at normal speed, because on a busy machine faster time limits would end the attempt
  // first.
  const page = await openShop(1)
  const popup = await press(page)
  await atBank(popup)
  const buttons = page.locator('dialog button')
  await expect.poll(() => buttons.allInnerTexts()).toEqual(['Show the window', 'Cancel'])
  await popup.close()
  await expect.poll(() => buttons.allInnerTexts()).toEqual(['Cancel'])
  await buttons.click()
  await page.waitForSelector('#told :text("mpi.closed not_sent true")')
})
