import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, BrowserType, Frame, Page, Route } from 'playwright-core'
import { CheckError, NoPageError, ShopFault } from './errors.ts'
import { CARDS, EXPIRY, HOLDER, type Payer } from './payer.ts'
import { createBank } from './payer-at-bank.ts'
import type { BrowserStep } from './plan-schema.ts'
import type { PayerCard } from './purchase.ts'
import { isPaymentPage } from './shop-calls.ts'
import { poll } from './time.ts'

/** A payment page in a payer's browser: in a window, or in a frame of the shop. */
interface PaymentTab {
  readonly page: Page
  readonly frame: Frame
  /** The payer has pressed Pay. */
  isSent: boolean
  /** Address outside the gateway that the tab would open next. It is opened by a visit. */
  returnAddress: string | undefined
}

/** Number of browser profiles that stay open: more than a case uses at the same time. */
const MOST_CONTEXTS = 32

/** Selector of the first input of a payment page. */
const NUMBER = '[name="card_number"]'

/**
 * Creates the payers' browser of a check. It is started at the first purchase, and each purchase gets
 * its own profile.
 * @param timeout milliseconds for each step
 */
export function createShopBrowser(shopUrl: string, timeout: number) {
  let starting: Promise<Browser> | undefined
  const contexts: BrowserContext[] = []
  /** The tab that was added last with an address: a payment page, the bank's page or the return. */
  const tabs = new Map<string, PaymentTab>()
  const addTab = (address: string, tab: PaymentTab): string => {
    tabs.set(address, tab)
    return address
  }
  const waitFor = async <Found>(
    find: () => Promise<Found | undefined>,
    describe: () => string,
  ): Promise<Found> => {
    const found = await poll(find, timeout)
    if (found !== undefined) return found
    throw new CheckError(describe())
  }
  /** Creates a profile. The profile with the oldest use is closed if there are many. */
  async function createContext(): Promise<BrowserContext> {
    starting ??= startChromium().catch((error) => {
      starting = undefined
      throw error
    })
    const context = await (await starting).newContext({ ignoreHTTPSErrors: true })
    context.setDefaultTimeout(timeout)
    if (contexts.push(context) > MOST_CONTEXTS) await contexts.shift()?.close()
    return context
  }
  /** @returns the address of the payment page, in the window or in a frame */
  async function buy(steps: readonly BrowserStep[]): Promise<string> {
    const context = await createContext()
    try {
      const page = await context.newPage()
      for (const step of steps) {
        if ('open' in step) await page.goto(new URL(step.open, shopUrl).href)
        else if ('fill' in step) await page.fill(step.fill, step.value)
        else await page.click(step.click)
      }
      const frame = await waitFor(
        async () => page.frames().find((each) => isPaymentPage(each.url())),
        () => `The steps ended at ${page.url()} without a payment page.`,
      )
      return addTab(frame.url(), createTab(page, frame))
    } catch (error) {
      await context.close()
      return throwBrowserError(error)
    }
  }

  /** Finds the tab of a payment page, or opens the page in another tab if Pay was pressed there. */
  async function openPaymentPage(address: string, gatewayUrl: string): Promise<PaymentTab> {
    const known = tabs.get(address)
    const isOpen = known !== undefined && !known.isSent
    const page = isOpen ? known.page : await openTab(known)
    const tab = isOpen ? known : createTab(page, page.mainFrame())
    tab.isSent = true
    addTab(address, tab)
    await holdReturn(tab, [gatewayUrl, address])
    if (!isOpen) await openPage(tab.frame, address)
    return tab
  }
  /** Opens a page in the profile of a tab, or in another profile. */
  const openTab = async (tab: PaymentTab | undefined): Promise<Page> =>
    (tab?.page.context() ?? (await createContext())).newPage()
  /** Leaves the page of a payment that waits for the bank. */
  async function chooseOtherCard(frame: Frame) {
    await frame.locator('#waiting form:has([name="action"][value="back"]) button').click()
    await waitFor(
      async () => (await isShown(frame, NUMBER)) || undefined,
      () => `The payment page at ${frame.url()} accepts no other card.`,
    )
  }
  const findReturn = (tab: PaymentTab) =>
    tab.returnAddress === undefined ? undefined : addTab(tab.returnAddress, tab)
  /** Finds where the payer is after submitting a form: leaving for the shop, at the bank, or at the form. */
  async function findNextAddress(tab: PaymentTab, isAtBank: boolean): Promise<string | undefined> {
    const bank = isAtBank ? undefined : findBankFrame(tab.page)
    const address = findReturn(tab) ?? (bank && addTab(bank.url(), tab))
    if (address !== undefined || !(await isFormShownAgain(tab.frame))) return address
    tab.isSent = false
    return tab.frame.url()
  }

  /** Fills in the page of a tab in its present state. @returns the payer's next address */
  async function payInTab(tab: PaymentTab, card: PayerCard): Promise<string> {
    const { frame } = tab
    const shown = await waitFor(
      async () => findReturn(tab) ?? (await findForm(frame)),
      () => `The payment page at ${frame.url()} shows no form.`,
    )
    if (shown === 'waiting') await chooseOtherCard(frame)
    if (shown === 'card' || shown === 'waiting') await payByCard(frame, card)
    else if (shown === 'receipt') await frame.locator('main a.button').click()
    else return shown
    return waitFor(
      () => findNextAddress(tab, false),
      () => `The payment page at ${frame.url()} did not answer.`,
    )
  }

  /**
   * Creates the payer who continues in the tabs of these purchases, at the gateway's payment page and
   * at the simulated bank. A tab does not leave the gateway by itself: its return address is opened by
   * `visit`, which may come later, twice or never.
   */
  const createPayer = (gatewayUrl: string): Payer => ({
    async pay(address, card) {
      const tab = await openPaymentPage(address, gatewayUrl)
      return payInTab(tab, card).catch(throwBrowserError)
    },
    async answerBank(bank, answer) {
      const tab = tabs.get(bank)
      if (!tab) throw new CheckError(`No payer is at the bank's page ${bank}.`)
      const payer = createBank(tab.page)
      await (answer === 'cancel' ? payer.leave() : payer.approve())
      return waitFor(
        () => findNextAddress(tab, true),
        () => 'The bank did not answer.',
      )
    },
    async visit(address) {
      const tab = tabs.get(address)
      if (tab?.returnAddress === address) {
        tab.returnAddress = undefined
        await tab.page.unrouteAll({ behavior: 'ignoreErrors' })
        return openPage(tab.frame, address)
      }
      return openPage((await openTab(tab)).mainFrame(), address)
    },
  })

  return { buy, createPayer, close: async () => (await starting)?.close() }
}

const createTab = (page: Page, frame: Frame): PaymentTab => ({
  page,
  frame,
  isSent: false,
  returnAddress: undefined,
})

/**
 * Keeps a tab inside the gateway. Playwright does not show redirects to a route, so each is
 * continued by a page that opens the next address.
 */
async function holdReturn(tab: PaymentTab, addresses: readonly string[]): Promise<void> {
  const inside = new Set(addresses.map((address) => new URL(address).origin))
  const isInside = (address: string) => inside.has(new URL(address).origin)
  const hold = (route: Route, address: string) => {
    tab.returnAddress = address
    // A status without a page: the tab stays where it is.
    return route.fulfill({ status: 204 })
  }
  await tab.page.route('**/*', async (route, request) => {
    if (!request.isNavigationRequest()) return route.fallback()
    if (!isInside(request.url())) return hold(route, request.url())
    try {
      const response = await route.fetch({ maxRedirects: 0 })
      const { location } = response.headers()
      if (location === undefined) return await route.fulfill({ response })
      const next = new URL(location, request.url()).href
      if (!isInside(next)) return await hold(route, next)
      const body = `<script>location.replace(${JSON.stringify(next).replaceAll('<', '\\u003c')})</script>`
      await route.fulfill({ contentType: 'text/html', body })
    } catch {
      await route.abort().catch(() => {})
    }
  })
}

/** Reports an error of Playwright in one sentence. */
function throwBrowserError(error: unknown): never {
  if (error instanceof CheckError) throw error
  const [line = ''] = (error as Error).message.split('\n')
  throw new CheckError(`A step in the browser failed: ${line}.`)
}

async function findForm(frame: Frame): Promise<'card' | 'receipt' | 'waiting' | undefined> {
  if (await isShown(frame, NUMBER)) return 'card'
  if (await isShown(frame, '#waiting')) return 'waiting'
  return (await isShown(frame, 'main h1.good')) ? 'receipt' : undefined
}

/**
 * Returns true if an element is visible. A frame that disappears meanwhile counts as not visible.
 */
const isShown = (frame: Frame, selector: string): Promise<boolean> =>
  frame
    .locator(selector)
    .first()
    .isVisible()
    .catch(() => false)

async function payByCard(frame: Frame, card: PayerCard): Promise<void> {
  const fields = { ...CARDS[card], card_holder: HOLDER, card_expiry: EXPIRY }
  for (const [name, value] of Object.entries(fields)) await frame.fill(`[name="${name}"]`, value)
  await frame.evaluate('document.documentElement.dataset.sent = "true"')
  await frame
    .locator(`form:has(${NUMBER})`)
    .locator('button:not([type="button"]):not([form]), input[type="submit"]')
    .last()
    .click()
}

const findBankFrame = (page: Page): Frame | undefined =>
  page.frames().find((frame) => /\/v1\/acs\//.test(frame.url()))

/** Returns true if a new document has the form, after the form was sent. */
async function isFormShownAgain(frame: Frame): Promise<boolean> {
  const isOther = await frame
    .evaluate<boolean>(
      'document.readyState === "complete" && document.documentElement.dataset.sent === undefined',
    )
    .catch(() => false)
  return isOther && isShown(frame, NUMBER)
}

/** Pattern of the errors of a page that is empty, or whose script opened another page. */
const OPENED =
  /ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_ABORTED|interrupted by another navigation|detached|Download is starting/

/** @returns its status @throws CheckError if the page does not answer */
async function openPage(frame: Frame, address: string): Promise<number | undefined> {
  try {
    return (await frame.goto(address))?.status()
  } catch (error) {
    const { message } = error as Error
    if (OPENED.test(message)) return undefined
    if (message.includes('ERR_TOO_MANY_REDIRECTS'))
      throw new ShopFault('no answer', `The shop redirects endlessly at ${address}.`)
    const reason = /net::\w+/.exec(message)?.[0] ?? 'the time is over'
    throw new NoPageError(`${address} did not answer: ${reason}.`)
  }
}

/**
 * Installed browsers; Playwright's own is tried first. The headless shell needs less time than
 * Chromium: it has no windows and profiles.
 */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
/**
 * Arguments of Chromium. With `RenderDocument`, Chromium leaves the old page open after a navigation.
 * Only the last list of features counts, so it repeats those of Playwright that change what a page
 * can do.
 */
const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-features=RenderDocument,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,ThirdPartyStoragePartitioning,PaintHolding,AvoidCorsURLLoaderRestartOnRedirect',
]

/**
 * Starts the Chromium of the shop's own Playwright, or one that is installed. @throws CheckError
 */
async function startChromium(): Promise<Browser> {
  const chromium = await importChromium()
  const problems: string[] = []
  for (const executablePath of [undefined, ...INSTALLED])
    try {
      return await chromium.launch({ args: ARGS, ...(executablePath && { executablePath }) })
    } catch (error) {
      problems.push((error as Error).message.split('\n')[0] ?? '')
    }
  throw new CheckError(
    `Chromium does not start: ${problems[0]}. Install it with npx playwright install chromium.`,
  )
}

async function importChromium(): Promise<BrowserType> {
  const require = createRequire(join(process.cwd(), 'package.json'))
  for (const name of ['playwright', 'playwright-core', '@playwright/test'])
    try {
      const module = await import(pathToFileURL(require.resolve(name)).href)
      return module.chromium ?? module.default.chromium
    } catch {}
  throw new CheckError(
    'Steps in a browser need Playwright in the folder of the shop: npm install playwright-core.',
  )
}
