/** Tests of each kind of bank page of 3-D Secure, in every way to reach the bank. */

import type { Frame, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createBank } from '../../mock-gateway/testing/playwright.ts'
import { cardOf } from '../gateway/three-d-secure/payer.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { clientAt, prepared } from '../helpers/gateway.ts'
import { callControl, runInMemory, serve } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'

/** The expected result of a card for each kind of page that the bank shows. */
const OUTCOMES: readonly { card: number; status: string; error?: string }[] = [
  { card: 1, status: 'approved' },
  { card: 2, status: 'declined', error: 'mpi.not_approved' },
  { card: 10, status: 'approved' },
  { card: 14, status: 'failed', error: 'transaction.timeout' },
  { card: 16, status: 'approved' },
  { card: 19, status: 'failed', error: 'mpi.disabled' },
  { card: 24, status: 'approved' },
]

const CONTROL_KEY = 'matrix-of-three-d-secure'

const gateway = await share(runInMemory('--control-key', CONTROL_KEY))
const browser = await launchBrowser()
/**
 * Server of the shop. It shows the address in its query in a frame, pays with the library, and
 * receives returning payers.
 */
const shop = await share(
  serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const page =
      pathname === '/frame'
        ? `<iframe src="${searchParams.get('page')}" width="600" height="700"></iframe>`
        : '<h1 id="back">Welcome back</h1>'
    response.setHeader('Content-Type', 'text/html;charset=utf-8')
    response.end(`<!doctype html><title>Shop</title>${page}`)
  }),
)

const prepare = async (): Promise<string> => {
  const order = prepared({ success_url: `${shop.url}/thanks`, error_url: `${shop.url}/sorry` })
  return (await clientAt(gateway.url, gateway.merchant).post('/v1/transactions', order)).body.href
}

const wait = (seconds: number) => callControl(gateway, 'POST', '/clock/advance', { seconds })

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
      await go(view, () => createBank('page' in view ? view.page() : view).approve())
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

const expectedAddress = (status: string, error?: string) =>
  error ? `/sorry ${status} errors.${error}` : `/thanks ${status} `

describe.each([
  ['with a script', true],
  ['without JavaScript', false],
] as const)('on the payment page %s', (_way, javaScriptEnabled) => {
  test.each(OUTCOMES)(
    'card $card leads back to the shop: $status',
    async ({ card, status, error }) => {
      const { page } = await browser.open({ javaScriptEnabled })
      await page.goto(await prepare())
      await payOn(page, card)
      await throughBank(page, javaScriptEnabled)
      expect(windowMessage(page)).toBe(expectedAddress(status, error))
    },
  )
})

test.each(OUTCOMES)(
  'on the payment page in a frame card $card leads back into the frame of the shop: $status',
  async ({ card, status, error }) => {
    const { page } = await browser.open()
    await page.goto(`${shop.url}/frame?${new URLSearchParams({ page: await prepare() })}`)
    const frame = await (await page.waitForSelector('iframe')).contentFrame()
    if (!frame) throw new TypeError('The frame has no page')
    await frame.waitForSelector('#card_number')
    await payOn(frame, card)
    await throughBank(frame)
    expect(windowMessage(frame)).toBe(expectedAddress(status, error))
    expect(page.url()).toContain(`${shop.url}/frame?`)
  },
)
