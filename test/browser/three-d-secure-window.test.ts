/// <reference types="jquery" />
/** 3-D Secure of the library: what no emulator shows of windows, frames and the policies of pages. */

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MondidoOptions } from '../../sdk/types.ts'
import { launchBrowser, type TestBrowser, type WatchedPage } from '../helpers/browser.ts'
import { TEST_PUBLIC_KEY } from '../helpers/keys.ts'

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

let browser: TestBrowser
let server: Server
let port: number
const origin = (role: string) => `http://${role}.localhost:${port}`

/** Authentications of the stand-in by nonce. */
const known = new Map<string, Record<string, unknown>>()
const paid: URLSearchParams[] = []
let bankHeaders: Record<string, string> = {}
const shops = new Map<string, { html: string; headers: Record<string, string> }>()

beforeAll(async () => {
  browser = await launchBrowser()
  server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const role = url.hostname.split('.')[0]
  let body = ''
  for await (const chunk of request) body += chunk
  const fields = new URLSearchParams(body)
  const send = (type: string, text: string, headers: Record<string, string> = {}, status = 200) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(text)
  const html = (text: string, headers: Record<string, string> = {}) =>
    send('text/html', `<!doctype html>${text}`, headers)
  const json = (value: object, status = 200) =>
    send('application/json', JSON.stringify(value), { 'access-control-allow-origin': '*' }, status)
  if (url.pathname === '/jquery.js') return void send('text/javascript', read('node_modules/jquery/dist/jquery.min.js'))
  if (role === 'cdn') {
    const config = {
      merchantId: '1',
      publicKey: TEST_PUBLIC_KEY,
      apiUrl: origin('api'),
      payUrl: origin('pay'),
      cdnUrl: origin('cdn'),
      mpiUrl: `${origin('pay')}/v1/mpi_js`,
    }
    return void send(
      'text/javascript',
      `var __mondido_config=${JSON.stringify(config)};\n${read('dist/sdk/mondido.min.js')}`,
    )
  }
  if (role === 'api' && request.method === 'POST') {
    paid.push(fields)
    return void json({ id: 1, status: 'approved' })
  }
  if (role === 'api') return void json({ state: 'done', transaction: { id: 1, status: 'approved' } })
  const [, nonce = '', action] = /^\/v1\/mpi_js\/(\w+)(?:\/(\w+))?/.exec(url.pathname) ?? []
  if (url.pathname === '/v1/mpi_js') {
    const [id, from] = [fields.get('mpi_nonce') ?? '', request.headers.origin]
    known.set(id, { event: 'mpi', status: 'pending', success: null, nonce: id, origin: from })
    if (fields.get('metadata') === 'frictionless') return void finish(id, true)
    return void html(
      `<title>Bank</title><form method="post" action="/v1/mpi_js/${id}/answer"><button name="success" value="true" data-testid="bank-confirm">Yes</button><button name="success" value="false" data-testid="bank-cancel">No</button></form>`,
      bankHeaders,
    )
  }
  if (action === 'answer') return void finish(nonce, fields.get('success') === 'true')
  if (action === 'cancel') Object.assign(known.get(nonce) ?? {}, { status: 'done', success: false })
  if (nonce) return void json(known.get(nonce) ?? {}, known.has(nonce) ? 200 : 404)
  if (url.pathname === '/v1/form') return void html('<title>Hosted</title>')
  const shop = shops.get(url.pathname)
  html(shop?.html ?? '<title>Elsewhere</title>', shop?.headers)

  function finish(id: string, success: boolean): void {
    const refs = success ? { mpi_ref: 'm-1', eci: '05', provider_ref: 'p-1' } : { error: 'errors.mpi.not_approved' }
    const found = Object.assign(known.get(id) ?? {}, { status: 'done', success, ...refs })
    const { status, origin: target, ...message } = found as Record<string, unknown>
    const text = JSON.stringify(JSON.stringify(message))
    const to = JSON.stringify(target && target !== 'null' ? target : '*')
    html(
      `<title>Result</title><script>const target = opener ?? (parent === window ? null : parent)
target?.postMessage(${text}, ${to})
window.close()</script>`,
    )
  }
}

interface ShopOptions {
  options?: MondidoOptions
  fields?: Record<string, string>
  headers?: Record<string, string>
  /** More script of the page, after the library was bound. */
  script?: string
}

/** A shop's page with a card form, on an origin of its own. */
function addShop({ options, fields, headers = {}, script = '' }: ShopOptions = {}): string {
  const path = `/shop-${shops.size}`
  const plain = {
    merchant_id: '1',
    amount: '10.00',
    currency: 'sek',
    payment_ref: path.slice(1),
    test: 'true',
    ...fields,
  }
  const inputs = Object.entries(plain).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  const html = `<html lang="en"><title>Shop</title><form id="pay">${inputs.join('')}
    <input data-encrypt-attribute="card_number" value="4000000000001091"><input data-encrypt-attribute="card_cvv" value="200">
    <button>Pay</button></form><ol id="told"></ol><script src="/jquery.js"></script>
    <script src="${origin('cdn')}/v2/mondido.js?merchant_id=1"></script>
    <script>
      const told = (text) => $('#told').append($('<li>').text(text))
      $('#pay').mondido(${JSON.stringify({ type: 'ajax', ...options })})
        .on('mpi:open', (_event, { mode }) => told('mpi:open ' + mode))
        .on('mpi:blocked', () => told('mpi:blocked'))
        .on('mpi:close', (_event, { reason }) => told('mpi:close ' + reason))
        .on('payment:success', () => told('payment:success'))
        .on('payment:fail', (_event, { code }) => told('payment:fail ' + code))
      ${script}
    </script>`
  shops.set(path, { html, headers })
  return `${origin('shop')}${path}`
}

interface Visit extends WatchedPage {
  shop: Page | Frame
  /** What the library told the page, as soon as the payment ended. */
  ended(): Promise<string[]>
}

async function openShop(given: ShopOptions = {}): Promise<Visit> {
  const watched = await browser.open()
  await watched.page.goto(addShop(given))
  return { ...watched, shop: watched.page, ended: () => endOf(watched.page) }
}

async function endOf(shop: Page | Frame): Promise<string[]> {
  await shop.waitForSelector('#told :text-matches("^payment")')
  return shop.locator('#told li').allInnerTexts()
}

/** Presses the button and gives the window that opens. */
async function openBank({ page, shop }: Visit): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), shop.click('#pay button')])
  await popup.waitForSelector('[data-testid=bank-confirm]')
  return popup
}

describe('in a window', () => {
  test('a payer who passes pays; shop, gateway and library on origins of their own', async () => {
    const visit = await openShop()
    const popup = await openBank(visit)
    expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 600])
    await popup.click('[data-testid=bank-confirm]')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
    await expect.poll(() => popup.isClosed()).toBe(true)
    expect(paid.at(-1)?.get('ref')).toBe('m-1')
    expect(visit.problems).toEqual([])
  })

  test('a payer who does not pass pays nothing', async () => {
    const visit = await openShop()
    const popup = await openBank(visit)
    await popup.click('[data-testid=bank-cancel]')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:fail mpi.failed'])
  })

  test('a card that passes at once is paid, and the window closes by itself', async () => {
    const visit = await openShop({ fields: { metadata: 'frictionless' } })
    await visit.page.click('#pay button')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
    await expect.poll(() => visit.page.context().pages().length).toBe(1)
  })

  test('it is opened with the click although payment:before takes seven seconds', async () => {
    const visit = await openShop({
      fields: { metadata: 'frictionless' },
      script: "$('#pay').on('payment:before', () => new Promise((resolve) => setTimeout(resolve, 7000)))",
    })
    await visit.page.click('#pay button')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  })

  test('the Cancel button of the panel, and the Escape key, end it; focus returns to the form', async () => {
    for (const act of [
      (page: Page) => page.click('dialog >> text=Cancel'),
      (page: Page) => page.keyboard.press('Escape'),
    ]) {
      const visit = await openShop()
      const popup = await openBank(visit)
      await visit.page.bringToFront()
      await visit.page.waitForSelector('dialog[open]')
      expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Show the window')
      await act(visit.page)
      expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close cancelled', 'payment:fail mpi.closed'])
      await expect.poll(() => popup.isClosed()).toBe(true)
      expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Pay')
    }
  })
})

describe('a window that is closed', () => {
  test('before the form was posted cancels', async () => {
    const visit = await openShop({
      script: "$('#pay').on('payment:before', () => new Promise((resolve) => { window.go = resolve }))",
    })
    const [popup] = await Promise.all([visit.page.waitForEvent('popup'), visit.page.click('#pay button')])
    await popup.close()
    await visit.page.evaluate('window.go()')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close closed', 'payment:fail mpi.closed'])
  })

  test('at the bank may still be answered; the panel’s button cancels sooner', async () => {
    const visit = await openShop({ options: { timeouts: { closeGrace: 100 } } })
    const popup = await openBank(visit)
    await popup.close()
    await visit.page.click('dialog >> text=Cancel')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close cancelled', 'payment:fail mpi.closed'])
  })

  test('after the payer passed, but before the message came, pays', async () => {
    const visit = await openShop()
    const popup = await openBank(visit)
    await popup.evaluate(() => {
      const { action } = document.forms[0] as HTMLFormElement
      navigator.sendBeacon(action, new URLSearchParams({ success: 'true' }))
      close()
    })
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  })
})

test.each([
  ['the shop’s', { 'cross-origin-opener-policy': 'same-origin' }, {}],
  ['the bank’s', {}, { 'cross-origin-opener-policy': 'same-origin' }],
])(
  'when %s page cuts the window off (Cross-Origin-Opener-Policy), the service is asked',
  async (_whose, headers, atBank) => {
    bankHeaders = atBank
    const visit = await openShop({ headers })
    const context = visit.page.context()
    const [popup] = await Promise.all([context.waitForEvent('page'), visit.page.click('#pay button')])
    bankHeaders = {}
    await popup.waitForSelector('[data-testid=bank-confirm]')
    await visit.page.waitForSelector('dialog[open]')
    await popup.click('[data-testid=bank-confirm]')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  },
)

describe('a window that is blocked', () => {
  test('is opened by a button in a dialog', async () => {
    const visit = await openShop({ script: "setTimeout(() => $('#pay').mondido('submit'))" })
    await visit.page.waitForSelector('dialog[open]')
    const [popup] = await Promise.all([
      visit.page.waitForEvent('popup'),
      visit.page.click('dialog >> text=Open the window'),
    ])
    await popup.click('[data-testid=bank-confirm]')
    expect(await visit.ended()).toEqual(['mpi:blocked', 'mpi:open popup', 'mpi:close completed', 'payment:success'])
  })

  // A page that may open no windows at all.
  const sandbox = { 'content-security-policy': 'sandbox allow-scripts allow-forms allow-same-origin' }

  test('again becomes a frame in the dialog', async () => {
    const visit = await openShop({ headers: sandbox })
    await visit.page.click('#pay button')
    await visit.page.click('dialog >> text=Open the window')
    const bank = visit.page.frameLocator('dialog iframe')
    await bank.locator('[data-testid=bank-confirm]').click()
    expect(await visit.ended()).toEqual(['mpi:blocked', 'mpi:open iframe', 'mpi:close completed', 'payment:success'])
    expect(await visit.page.locator('dialog').count()).toBe(0)
  })

  test('and a frame that is forbidden leaves for the hosted flow', async () => {
    const policy = `${sandbox['content-security-policy']}; frame-src 'none'`
    const fields = { success_url: `${origin('shop')}/thanks` }
    const visit = await openShop({ headers: { 'content-security-policy': policy }, fields })
    await visit.page.click('#pay button')
    await visit.page.click('dialog >> text=Open the window')
    await visit.page.waitForURL(`${origin('pay')}/v1/form`)
  })
})

test('a page whose policy forbids the post into the window closes it again', async () => {
  const visit = await openShop({ headers: { 'content-security-policy': "form-action 'self'" } })
  await visit.page.click('#pay button')
  expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close blocked', 'payment:fail mpi.csp'])
  await expect.poll(() => visit.page.context().pages().length).toBe(1)
})

describe('a shop in a sandboxed frame', () => {
  async function frameShop(sandbox: string): Promise<Visit> {
    const watched = await browser.open()
    const path = `/framing-${shops.size}`
    shops.set(path, {
      html: `<title>Portal</title><iframe sandbox="${sandbox}" src="${addShop()}"></iframe>`,
      headers: {},
    })
    await watched.page.goto(`${origin('portal')}${path}`)
    const handle = await watched.page.waitForSelector('iframe')
    const shop = (await handle.contentFrame()) as Frame
    await shop.waitForSelector('#pay')
    return { ...watched, shop, ended: () => endOf(shop) }
  }

  test('pays in a window when it may open one', async () => {
    const visit = await frameShop(
      'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    )
    const popup = await openBank(visit)
    await popup.click('[data-testid=bank-confirm]')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  })

  test('pays although it has no origin of its own', async () => {
    const visit = await frameShop('allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox')
    const popup = await openBank(visit)
    await popup.click('[data-testid=bank-confirm]')
    expect(await visit.ended()).toEqual(['mpi:open popup', 'mpi:close completed', 'payment:success'])
  })

  test('says so when it may not', async () => {
    const visit = await frameShop('allow-scripts allow-forms allow-same-origin')
    await visit.shop.click('#pay button')
    await visit.shop.click('dialog >> text=Open the window')
    expect(await visit.ended()).toEqual(['mpi:blocked', 'payment:fail mpi.blocked'])
  })
})
