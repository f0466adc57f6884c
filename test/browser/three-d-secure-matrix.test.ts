/** Tests of every outcome of 3-D Secure with its test card, in every way to reach the bank. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { bankOf } from '../../mock-gateway/testing/playwright.ts'
import { cardOf } from '../gateway/three-d-secure/payer.ts'
import { hurry, launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import {
  authorizationOf,
  encode,
  type Fields,
  hashed,
  payment,
  prepared,
} from '../helpers/gateway.ts'
import { freePort } from '../setup/free-port.ts'

/** The expected result of each case, written independently. */
const OUTCOMES: readonly (readonly [card: number, status: string, error?: string])[] = [
  [1, 'approved'],
  [2, 'declined', 'mpi.not_approved'],
  [3, 'approved'],
  [4, 'approved'],
  [5, 'declined', 'mpi.not_approved'],
  [6, 'approved'],
  [7, 'failed', 'mpi.invalid'],
  [8, 'failed', 'transaction.timeout'],
  [9, 'approved'],
  [10, 'approved'],
  [11, 'declined', 'mpi.not_approved'],
  [12, 'approved'],
  [13, 'failed', 'mpi.invalid'],
  [14, 'failed', 'transaction.timeout'],
  [15, 'failed', 'payment.canceled'],
  [16, 'approved'],
  [17, 'approved'],
  [18, 'failed', 'transaction.timeout'],
  [19, 'failed', 'mpi.disabled'],
  [20, 'approved'],
  [21, 'approved'],
  [22, 'approved'],
  [23, 'approved'],
  [24, 'approved'],
]

const CONTROL_KEY = 'matrix-of-three-d-secure'
const JQUERY = readFileSync(
  fileURLToPath(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url)),
)

let gateway: RunningGateway
let browser: TestBrowser
/**
 * Server of the shop. It shows the address in its query in a frame, pays with the library, and
 * receives returning payers.
 */
let server: Server
let shop: string
beforeAll(async () => {
  const flags = ['--memory', '--port', String(await freePort()), '--control-key', CONTROL_KEY]
  gateway = await runGateway(flags, { LOG_LEVEL: 'silent' }, () => {})
  browser = await launchBrowser()
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    if (pathname === '/jquery.js')
      return response.setHeader('Content-Type', 'text/javascript').end(JQUERY)
    const pages: Readonly<Record<string, () => string>> = {
      '/frame': () =>
        `<iframe src="${searchParams.get('page')}" width="600" height="700"></iframe>`,
      '/pay': () => libraryPage(Number(searchParams.get('card'))),
    }
    response.setHeader('Content-Type', 'text/html;charset=utf-8')
    return response.end(
      `<!doctype html><title>Shop</title>${pages[pathname]?.() ?? '<h1 id="back">Welcome back</h1>'}`,
    )
  }).listen(0)
  await once(server, 'listening')
  shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await gateway.close()
})

/** Returns a page that pays with the library and shows the result. */
function libraryPage(card: number): string {
  const { card_number, card_cvv, card_expiry, ...order } = payment({
    merchant_id: 1,
    card_number: cardOf(card),
  })
  const fields = Object.entries(hashed(order, gateway.merchant)).map(([name, value]) =>
    value === undefined ? '' : `<input type="hidden" name="${name}" value="${value}">`,
  )
  const secret = Object.entries({ card_number, card_cvv, card_expiry }).map(
    ([name, value]) => `<input data-encrypt-attribute="${name}" value="${value}">`,
  )
  return `<form>${fields.join('')}${secret.join('')}<button>Pay</button></form>
    <script src="/jquery.js"></script><script src="${gateway.url}/v2/mondido.js?merchant_id=1"></script>
    <script>
      const tell = (said) => $('body').append($('<p id="back">').text(said))
      $('form').mondido({ type: 'ajax', validate: false })
        .on('payment:success', (_event, transaction) => tell(transaction.status))
        .on('payment:fail', (_event, error) => tell(error.name))
    </script>`
}

async function call<Body>(
  path: string,
  fields: Fields,
  headers: Readonly<Record<string, string>>,
): Promise<Body> {
  const answer = await fetch(gateway.url + path, { method: 'POST', body: encode(fields), headers })
  return (await answer.json()) as Body
}

const prepare = async (): Promise<string> => {
  const order = prepared({ success_url: `${shop}/thanks`, error_url: `${shop}/sorry` })
  const authorization = authorizationOf({ ...gateway.merchant })
  const type = 'application/x-www-form-urlencoded'
  const fields = hashed(order, gateway.merchant)
  return (
    await call<{ href: string }>('/v1/transactions', fields, {
      authorization,
      'content-type': type,
    })
  ).href
}

const wait = (seconds: number) =>
  call(
    '/_control/clock/advance',
    { seconds },
    { 'x-control-key': CONTROL_KEY, 'content-type': 'application/x-www-form-urlencoded' },
  )

/** Runs an action, and waits for the page that it leads to. */
const go = (view: Page | Frame, act: () => Promise<unknown>) =>
  Promise.all([view.waitForNavigation({ waitUntil: 'commit' }), act()])

/**
 * Returns the selectors of a payer's pages, in the order in which they are looked for. If scripts
 * run, a page with an answer continues by itself.
 */
const MET = (script: boolean) => ({
  back: '#back',
  question: 'main[data-question]',
  refused: '[data-error] ~ p > [data-testid=bank-continue]',
  ...(script ? {} : { answered: 'form > [data-testid=bank-continue]' }),
  working: 'form.leave [data-testid=bank-cancel]',
})

/**
 * Answers the challenge of the bank correctly. If the bank never answers, waits: ten seconds the
 * first time.
 */
async function throughBank(view: Page | Frame, script = true): Promise<void> {
  const met = MET(script)
  for (let waits = [10, 600]; ; ) {
    await view.waitForSelector(Object.values(met).join())
    const seen = async (selector: string) => (await view.locator(selector).count()) > 0
    if (await seen(met.back)) return
    if (await seen(met.question))
      await go(view, () => bankOf('page' in view ? view.page() : view).approve())
    else if (met.answered && (await seen(met.answered)))
      await go(view, () => view.click(met.answered ?? ''))
    else if (await seen(met.refused)) {
      await wait(600)
      await go(view, () => view.click(met.refused))
    } else if (await seen(met.working)) {
      const [seconds = 0, ...more] = waits
      waits = more
      await wait(seconds)
      // The page also reloads itself, so the button may be gone.
      await go(view, () => view.click('a.button', { timeout: 2_000 }).catch(() => undefined))
    }
  }
}

async function payOn(view: Page | Frame, card: number): Promise<void> {
  const fields = {
    card_number: cardOf(card),
    card_holder: 'Kim Berg',
    card_expiry: '12/38',
    card_cvv: '200',
  }
  for (const [name, value] of Object.entries(fields)) await view.fill(`#${name}`, value)
  await go(view, () => view.click('#mondidopayform button[type=submit]'))
}

/** Returns the result in the payer's return address. */
function windowMessage(view: Page | Frame): string {
  const { pathname, searchParams } = new URL(view.url())
  return [pathname, searchParams.get('status'), searchParams.get('error_name')].join(' ')
}

const byAddress = (outcomes: typeof OUTCOMES) =>
  outcomes.map(([card, status, error]) => [
    card,
    error ? `/sorry ${status} errors.${error}` : `/thanks ${status} `,
  ])

/** Time limit in milliseconds for all cards. */
const TIMEOUT = OUTCOMES.length * 15_000

/** Tries the cards one after the other. */
async function each(
  outcomes: typeof OUTCOMES,
  pay: (card: number) => Promise<string>,
): Promise<(string | number)[][]> {
  const found: (string | number)[][] = []
  for (const [card] of outcomes)
    found.push([card, await pay(card).catch((error: Error) => error.message)])
  return found
}

test.each([
  ['with a script', true],
  ['without JavaScript', false],
] as const)(
  'on the payment page %s every card leads back to the shop with its expected result',
  { timeout: TIMEOUT },
  async (_way, javaScriptEnabled) => {
    const { page } = await browser.open({ javaScriptEnabled })
    const found = await each(OUTCOMES, async (card) => {
      await page.goto(await prepare())
      await payOn(page, card)
      await throughBank(page, javaScriptEnabled)
      return windowMessage(page)
    })
    expect(found).toEqual(byAddress(OUTCOMES))
  },
)

test('on the payment page in a frame of the shop every card leads back into the frame with its expected result', {
  timeout: TIMEOUT,
}, async () => {
  const { page } = await browser.open()
  const found = await each(OUTCOMES, async (card) => {
    await page.goto(`${shop}/frame?${new URLSearchParams({ page: await prepare() })}`)
    const frame = await (await page.waitForSelector('iframe')).contentFrame()
    if (!frame) throw new TypeError('The frame has no page')
    await frame.waitForSelector('#card_number')
    await payOn(frame, card)
    await throughBank(frame)
    return `${windowMessage(frame)}${page.url().startsWith(`${shop}/frame?`) ? '' : ' out of the frame'}`
  })
  expect(found).toEqual(byAddress(OUTCOMES))
})

test("in the library's window every card reports the expected result to the page", {
  timeout: TIMEOUT,
}, async () => {
  const { page } = await browser.open()
  // On a busy machine, the library must not give up before the bank appears.
  await hurry(page, 0.2)
  const found = await each(OUTCOMES, async (card) => {
    await page.goto(`${shop}/pay?card=${card}`)
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
    const told = page.waitForSelector('#back')
    // The window can close by itself while the payer still acts.
    await Promise.race([told, throughBank(popup).catch(() => told)])
    const [said] = await page.locator('#back').allInnerTexts()
    await popup.close()
    return said ?? ''
  })
  expect(found).toEqual(
    OUTCOMES.map(([card, status, error]) => [card, error ? `errors.${error}` : status]),
  )
})
