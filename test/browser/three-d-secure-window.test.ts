/// <reference types="jquery" />
/**
 * Tests of 3-D Secure in the library with real windows, frames and page policies, which no emulator
 * has.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Frame, FrameLocator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { requestHash } from '../../mock-gateway/domain/order/hash.ts'
import type { MondidoOptions } from '../../sdk/types.ts'
import { hurry, launchBrowser, type WatchedPage } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { serve } from '../helpers/listening.ts'
import { share } from '../helpers/shared.ts'

const JQUERY = readFileSync(
  fileURLToPath(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url)),
)
/** Test cards: one with a challenge, and one without 3-D Secure. */
const [CHALLENGED, PLAIN] = ['4000000000001091', '4111111111111111']
/** Test card whose bank answers ten seconds after the code. */
const SLOW = '4000000000001158'
const shops = new Map<string, { html: string; headers: Record<string, string> }>()
const origin = (role: string) => `http://${role}.localhost:${server.port}`

const checkout = await share(startCheckout())
const browser = await launchBrowser()
const server = await share(
  serve(({ url = '' }, response) => {
    const { html, headers } = shops.get(url) ?? { html: '<title>Thanks</title>', headers: {} }
    const [type, body] =
      url === '/jquery.js' ? ['text/javascript', JQUERY] : ['text/html', `<!doctype html>${html}`]
    response.writeHead(200, { 'content-type': `${type};charset=utf-8`, ...headers }).end(body)
  }),
)

/** Returns the fields of an order, signed by the merchant's server. */
function orderOf(reference: string, over: Record<string, string> = {}): Record<string, string> {
  const { id, secret } = checkout.gateway.merchant
  const plain = {
    merchant_id: String(id),
    amount: '10.00',
    currency: 'sek',
    payment_ref: reference,
    test: 'true',
  }
  const parts = {
    merchantId: String(id),
    paymentRef: reference,
    customerRef: '',
    amount: '10.00',
    currency: 'sek',
  }
  const hash = requestHash({ ...parts, test: true }, secret)
  return { ...plain, card_holder: 'Kim Berg', card_type: 'visa', hash, ...over }
}

/**
 * Factor that slows a page's timers: on a busy machine, the library must not give up before the bank
 * appears.
 */
const TIMER_FACTOR = 0.2

interface ShopOptions {
  card?: string
  options?: MondidoOptions
  fields?: Record<string, string>
  headers?: Record<string, string>
  /** Additional script of the page, which runs after the library was mounted. */
  script?: string
  /** Factor that speeds up the page's timers. */
  times?: number
  /** True if the windows of the page can change their size. The driver otherwise fixes it. */
  resizable?: boolean
}

/** Adds a shop's page with a card form, on its own origin. */
function addShop({
  card = CHALLENGED,
  options,
  fields,
  headers = {},
  script = '',
}: ShopOptions = {}): string {
  const path = `/shop-${shops.size}`
  const plain = orderOf(path.slice(1), fields)
  const inputs = Object.entries(plain).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const html = `<html lang="en"><title>Shop</title><form id="pay">${inputs.join('')}
    <input data-encrypt-attribute="card_number" value="${card}"><input data-encrypt-attribute="card_cvv" value="200">
    <input data-encrypt-attribute="card_expiry" value="1238">
    <button>Pay</button></form><ol id="told"></ol><script src="/jquery.js"></script>
    <script src="${checkout.gateway.addresses.cdn}/v2/mondido.js?merchant_id=1"></script>
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
  /** Resolves with the events of the library when the payment has ended. */
  ended(): Promise<string[]>
  /** Deletes the recorded events from the page before another attempt. */
  forget(): Promise<void>
}

async function openShop(given: ShopOptions = {}): Promise<Visit> {
  const watched = await browser.open(given.resizable ? { viewport: null } : {})
  await hurry(watched.page, given.times ?? TIMER_FACTOR)
  await watched.page.goto(addShop(given))
  return visitOf(watched, watched.page)
}

const visitOf = (watched: WatchedPage, shop: Page | Frame): Visit => ({
  ...watched,
  shop,
  ended: () => endOf(shop),
  forget: () => shop.evaluate("$('#told').empty()"),
})

/** Script of a page whose `payment:before` handler waits until the test calls `go()`. */
const HELD =
  "$('#pay').on('payment:before', () => new Promise((resolve) => { window.go = resolve }))"

/** Opens a shop, and records the pages and windows that the payer sees. */
async function openWatched(given: ShopOptions) {
  const visit = await openShop(given)
  const texts = new Set<string>()
  await visit.page.context().exposeFunction('see', (text: string) => texts.add(text))
  const look = () => {
    const { see } = window as unknown as { see: (text: string) => void }
    let last = ''
    // Notes the visible elements each time the browser is about to draw.
    const note = () => {
      const frames = [...document.querySelectorAll('iframe')].filter((each) =>
        each.checkVisibility(),
      )
      const titles = frames.map(({ title }) => `visible frame ${title}`)
      const text = [document.title, document.body?.innerText ?? '', ...titles].join(' ')
      // This also runs in frames, and a hidden frame has no width.
      if (text !== last && window.innerWidth > 0) see(text)
      last = text
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  }
  await visit.page.context().addInitScript(look)
  await visit.page.evaluate(look)
  return { visit, seen: () => [...texts].join('\n') }
}

async function endOf(shop: Page | Frame): Promise<string[]> {
  await shop.waitForSelector('#told :text-matches("^payment")')
  return shop.locator('#told li').allInnerTexts()
}

/** Types the correct code at the bank. */
async function confirm(bank: Page | FrameLocator): Promise<void> {
  await bank.locator('[data-testid=bank-code]').fill('1234')
  await bank.locator('[data-testid=bank-confirm]').click()
}

/** Presses the button, and returns the window that opens. */
async function openBank({ page, shop }: Visit): Promise<Page> {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    shop.click('#pay button'),
  ])
  await popup.waitForSelector('[data-testid=bank-confirm]')
  return popup
}

describe('in a window', () => {
  test('only an authenticated payer pays, with shop, gateway and bank each on its own origin', async () => {
    const visit = await openShop({ resizable: true })
    const refusing = await openBank(visit)
    await visit.page.waitForSelector('dialog >> text=Confirm the payment with your bank.')
    await refusing.click('[data-testid=bank-cancel]')
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close completed',
      'payment:fail mpi.failed',
    ])
    await visit.forget()
    const popup = await openBank(visit)
    // The whole browser includes the window's border in the size.
    await expect
      .poll(() => popup.evaluate(() => [innerWidth, outerHeight >= 600]))
      .toEqual([500, true])
    await expect.poll(() => popup.evaluate(() => scrollY)).toBe(0)
    await confirm(popup)
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close completed',
      'payment:success',
    ])
    await expect.poll(() => popup.isClosed()).toBe(true)
    const [transaction] = await checkout.transactionsOf(new URL(visit.page.url()).pathname.slice(1))
    expect(transaction).toMatchObject({ status: 'approved', mpi_ref: expect.stringMatching(/./) })
    expect(visit.problems).toEqual([expect.stringContaining('mpi.failed')])
  })

  test('a plain card is paid in a small window that shows only "Paying…" and closes by itself', async () => {
    const { visit, seen } = await openWatched({ card: PLAIN, script: HELD })
    const [popup] = await Promise.all([
      visit.page.waitForEvent('popup'),
      visit.page.click('#pay button'),
    ])
    expect(await popup.innerText('body')).toBe('Paying…')
    expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([360, 200])
    await visit.page.evaluate('window.go()')
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close completed',
      'payment:success',
    ])
    await expect.poll(() => visit.page.context().pages().length).toBe(1)
    expect(seen()).toContain('Paying…')
    expect(seen()).not.toMatch(/bank/i)
  })

  test('the Cancel button of the panel and the Escape key end the attempt, and focus returns to the form', async () => {
    const visit = await openShop({ options: { timeouts: { closeGrace: 15_000 } } })
    const { page } = visit
    const cancel = () => page.click('dialog >> text=Cancel')
    const ways: readonly ((popup: Page) => Promise<unknown>)[] = [
      cancel,
      () => page.keyboard.press('Escape'),
      // After the window was closed, the library still waits for an answer. The button cancels
      // immediately.
      (popup) => popup.close().then(cancel),
    ]
    for (const act of ways) {
      const popup = await openBank(visit)
      await page.bringToFront()
      await page.waitForSelector('dialog[open]')
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show the window')
      await expectAligned(page)
      await act(popup)
      expect(await visit.ended()).toEqual([
        'mpi:open popup',
        'mpi:close cancelled',
        'payment:fail mpi.closed',
      ])
      await expect.poll(() => popup.isClosed()).toBe(true)
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay')
      await visit.forget()
    }
  })
})

/** Expects that the text of the panel and its first button begin at the same place. */
async function expectAligned(page: Page): Promise<void> {
  const [text, button] = await page.evaluate(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('dialog p') as Node)
    const first = document.querySelector('dialog button')
    return [range, first].map((each) => each?.getBoundingClientRect().left)
  })
  expect(button).toBe(text)
}

describe('a window that is closed', () => {
  test('ends the payment while the bank is at work, as soon as the service sees that the payer has left', async () => {
    const visit = await openShop({ card: SLOW, times: 1 })
    const popup = await openBank(visit)
    await confirm(popup)
    await popup.waitForSelector('form.leave [data-testid=bank-cancel]')
    await popup.close()
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close closed',
      'payment:fail mpi.closed',
    ])
    expect(await checkout.transactionsOf(new URL(visit.page.url()).pathname.slice(1))).toEqual([])
    await confirm(await openBank(visit))
    await visit.page.waitForSelector('#told :text("payment:success")')
  })
})

test.each([
  ['the shop’s', { 'cross-origin-opener-policy': 'same-origin' }, {}],
  ['the bank’s', {}, { 'cross-origin-opener-policy': 'same-origin' }],
])(
  'the library asks the service if %s page isolates the window (Cross-Origin-Opener-Policy)',
  async (_whose, headers, atBank) => {
    const visit = await openShop({ headers, options: { timeouts: { closeGrace: 100 } }, times: 5 })
    const context = visit.page.context()
    await context.route('**/v1/acs/**', async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      // Node does not resolve names below localhost.
      const response = await route.fetch({ url: route.request().url().replace('//pay.', '//') })
      await route.fulfill({ response, headers: { ...response.headers(), ...atBank } })
    })
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      visit.page.click('#pay button'),
    ])
    await popup.waitForSelector('[data-testid=bank-confirm]')
    await visit.page.waitForSelector('dialog[open]')
    // Counts more status requests than the library sends before it treats the window as closed.
    const looks = () =>
      visit.requests.filter(({ method, url }) => method === 'GET' && /\/mpi_js\/\w+\?/.test(url))
    await expect.poll(() => looks().length).toBeGreaterThan(3)
    await confirm(popup)
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close completed',
      'payment:success',
    ])
  },
)

describe('a window that is blocked', () => {
  test('is opened with a button in a dialog', async () => {
    const visit = await openShop({
      script: `${BLOCKER}setTimeout(() => $('#pay').mondido('submit'))`,
    })
    await visit.page.waitForSelector('dialog[open]')
    const [popup] = await Promise.all([
      visit.page.waitForEvent('popup'),
      visit.page.click('dialog >> text=Open the window'),
    ])
    await confirm(popup)
    expect(await visit.ended()).toEqual([
      'mpi:blocked',
      'mpi:open popup',
      'mpi:close completed',
      'payment:success',
    ])
  })

  /**
   * Script that blocks windows without a click. The browser engine alone does not block them, but
   * the whole browser of the full run does.
   */
  const BLOCKER = `const { open } = window
    window.open = (...given) => (navigator.userActivation.isActive ? open(...given) : null)
    `

  // The sandbox does not allow the page to open windows.
  const sandbox = {
    'content-security-policy': 'sandbox allow-scripts allow-forms allow-same-origin',
  }

  test('is replaced, after the second block, by a frame in a dialog, which is shown for a challenge', async () => {
    const { visit, seen } = await openWatched({ headers: sandbox, fields: { locale: 'sv' } })
    const { page } = visit
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/mpi_js', (route) => held.then(() => route.continue()))
    await page.click('#pay button')
    await page.click('dialog >> text=Öppna fönstret')
    await page.waitForSelector('dialog[open] >> text=Betalar…')
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('title') ?? document.activeElement?.textContent,
      )
    expect(await focused()).toBe('Avbryt')
    await expectAligned(page)
    expect(seen()).not.toMatch(/bank|visible frame/i)
    answer()
    const bank = page.frameLocator('dialog iframe:visible')
    await bank.locator('[data-testid=bank-code]').waitFor()
    await expect.poll(focused).toBe('Bekräfta betalningen hos din bank.')
    await expectAligned(page)
    await confirm(bank)
    expect(await visit.ended()).toEqual([
      'mpi:blocked',
      'mpi:open iframe',
      'mpi:close completed',
      'payment:success',
    ])
    expect(await page.locator('dialog').count()).toBe(0)
  })

  test('is replaced by the hosted flow if frames are forbidden, too', async () => {
    const policy = `${sandbox['content-security-policy']}; frame-src 'none'`
    const fields = { success_url: `${origin('shop')}/thanks` }
    const visit = await openShop({ headers: { 'content-security-policy': policy }, fields })
    await visit.page.click('#pay button')
    await visit.page.click('dialog >> text=Open the window')
    await visit.page.waitForURL(`${checkout.gateway.addresses.pay}/v1/**`)
  })
})

test('is closed again if the policy of the page forbids the post into it', async () => {
  const visit = await openShop({ headers: { 'content-security-policy': "form-action 'self'" } })
  await visit.page.click('#pay button')
  expect(await visit.ended()).toEqual([
    'mpi:open popup',
    'mpi:close blocked',
    'payment:fail mpi.csp',
  ])
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
    return visitOf(watched, shop)
  }

  test('pays in a window if windows are allowed', async () => {
    const visit = await frameShop(
      'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox',
    )
    const popup = await openBank(visit)
    await confirm(popup)
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close completed',
      'payment:success',
    ])
  })

  test('pays although it has no origin of its own', async () => {
    const visit = await frameShop(
      'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
    )
    const popup = await openBank(visit)
    await confirm(popup)
    expect(await visit.ended()).toEqual([
      'mpi:open popup',
      'mpi:close completed',
      'payment:success',
    ])
  })

  test('reports that windows are forbidden', async () => {
    const visit = await frameShop('allow-scripts allow-forms allow-same-origin')
    await visit.shop.click('#pay button')
    await visit.shop.click('dialog >> text=Open the window')
    expect(await visit.ended()).toEqual(['mpi:blocked', 'payment:fail mpi.blocked'])
  })
})

test('an old page that opens mpiwindow itself and trusts every message pays (observed: 3-D Secure in the browser)', async () => {
  const path = `/old-${shops.size}`
  const { pay, base } = checkout.gateway.addresses
  const card = { card_number: CHALLENGED, card_cvv: '200', card_expiry: '1238' }
  const html = `<title>Old shop</title><button id="pay">Pay</button><p id="told"></p><script src="/jquery.js"></script><script>
    var fields = ${JSON.stringify({ ...orderOf(path.slice(1)), ...card })}
    $('#pay').on('click', function () {
      var mpi = window.open('', 'mpiwindow', 'width=640,height=480,top=200,left=500')
      var form = $('<form method="POST" target="mpiwindow">').attr('action', '${pay}/v1/mpi_js').hide().appendTo('body')
      $.each(fields, function (name, value) { $('<input type="hidden">').attr('name', name).val(value).appendTo(form) })
      form[0].submit()
      window.addEventListener('message', function (event) {
        var data
        try { data = JSON.parse(event.data) } catch (error) { return }
        if (data.event !== 'mpi') return
        mpi.close()
        if (!data.success) return
        $.extend(fields, { ref: data.mpi_ref, eci: data.eci, provider_ref: data.provider_ref })
        $.ajax({ method: 'POST', url: '${base}/v1/transactions', data: fields })
          .done(function (transaction) { $('#told').text(transaction.status + ' ' + transaction.mpi_ref) })
      })
    })</script>`
  shops.set(path, { html, headers: {} })
  const { page } = await browser.open()
  await page.goto(origin('shop') + path)
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pay')])
  await confirm(popup)
  await page.waitForSelector('#told:not(:empty)')
  expect(await page.innerText('#told')).toMatch(/^approved ./)
})
