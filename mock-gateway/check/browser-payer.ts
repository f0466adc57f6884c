import type { BrowserContext, Frame, Locator, Page, Route } from 'playwright-core'
import { CheckError, NoPageError, ShopFault } from './errors.ts'
import { CARDS, EXPIRY, HOLDER, type Payer } from './payer.ts'
import { createBank } from './payer-at-bank.ts'
import type { PayerCard } from './purchase.ts'
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

/** The payers' browsers of a check. */
export type PaymentTabs = ReturnType<typeof createPaymentTabs>

/** Number of profiles that stay open: more than a case uses at the same time. */
const MOST_CONTEXTS = 32

/** @param create opens a browser profile */
export function createPaymentTabs(create: () => Promise<BrowserContext>) {
  const contexts: BrowserContext[] = []
  const tabs = new Map<string, PaymentTab>()
  return {
    /** Creates a profile. The profile with the oldest use is closed if there are many. */
    async createContext(): Promise<BrowserContext> {
      const context = await create()
      if (contexts.push(context) > MOST_CONTEXTS) await contexts.shift()?.close()
      return context
    },
    /** Returns the tab that was added last with this address. */
    find: (address: string) => tabs.get(address),
    /** Keeps a tab at the payer's next address: a payment page, the bank's page or the return. */
    add(address: string, tab: PaymentTab): string {
      tabs.set(address, tab)
      return address
    },
  }
}

export const createTab = (page: Page, frame: Frame): PaymentTab => ({
  page,
  frame,
  isSent: false,
  returnAddress: undefined,
})

/** Names of the inputs of a payment page. */
const NUMBER = '[name="card_number"]'

/**
 * A payer in a browser, at the gateway's payment page and at the simulated bank. A tab does not
 * leave the gateway by itself: its return address is opened by `visit`, which may come later, twice
 * or never.
 * @param timeout milliseconds for each page
 */
export function createBrowserPayer(gatewayUrl: string, tabs: PaymentTabs, timeout: number): Payer {
  /** Finds the tab of a payment page, or opens the page in another tab if Pay was pressed there. */
  async function openPaymentPage(address: string): Promise<PaymentTab> {
    const known = tabs.find(address)
    const isOpen = known !== undefined && !known.isSent
    const page = isOpen ? known.page : await openTab(known)
    const tab = isOpen ? known : createTab(page, page.mainFrame())
    tab.isSent = true
    tabs.add(address, tab)
    await holdReturn(tab, [gatewayUrl, address])
    if (!isOpen) await openPage(tab.frame, address)
    return tab
  }
  /** Opens a page in the profile of a tab, or in another profile. */
  const openTab = async (tab: PaymentTab | undefined): Promise<Page> =>
    (tab?.page.context() ?? (await tabs.createContext())).newPage()
  async function waitFor<Found>(
    find: () => Promise<Found | undefined>,
    describe: () => string,
  ): Promise<Found> {
    const found = await poll(find, timeout)
    if (found !== undefined) return found
    throw new CheckError(describe())
  }
  /** Leaves the page of a payment that waits for the bank. */
  async function chooseOtherCard(frame: Frame) {
    await press(frame.locator('#waiting form:has([name="action"][value="back"]) button'))
    await waitFor(
      async () => (await isShown(frame, NUMBER)) || undefined,
      () => `The payment page at ${frame.url()} accepts no other card.`,
    )
  }
  const findReturn = (tab: PaymentTab) =>
    tab.returnAddress === undefined ? undefined : tabs.add(tab.returnAddress, tab)
  /** Finds where the payer is after a form was sent: leaving, at the bank, or at the form again. */
  async function findNextAddress(tab: PaymentTab, isAtBank: boolean): Promise<string | undefined> {
    const bank = isAtBank ? undefined : findBankFrame(tab.page)
    const address = findReturn(tab) ?? (bank && tabs.add(bank.url(), tab))
    if (address !== undefined || !(await isFormShownAgain(tab.frame))) return address
    tab.isSent = false
    return tab.frame.url()
  }

  return {
    async pay(address, card) {
      const tab = await openPaymentPage(address)
      const { frame } = tab
      const shown = await waitFor(
        async () => findReturn(tab) ?? (await findForm(frame)),
        () => `The payment page at ${frame.url()} shows no form.`,
      )
      if (shown === 'waiting') await chooseOtherCard(frame)
      if (shown === 'card' || shown === 'waiting') await payByCard(frame, card)
      else if (shown === 'receipt') await press(frame.locator('main a.button'))
      else return shown
      return waitFor(
        () => findNextAddress(tab, false),
        () => `The payment page at ${frame.url()} did not answer.`,
      )
    },
    async answerBank(bank, answer) {
      const tab = tabs.find(bank)
      if (!tab) throw new CheckError(`No payer is at the bank's page ${bank}.`)
      const payer = createBank(tab.page)
      await (answer === 'cancel' ? payer.leave() : payer.approve())
      return waitFor(
        () => findNextAddress(tab, true),
        () => 'The bank did not answer.',
      )
    },
    async visit(address) {
      const tab = tabs.find(address)
      if (tab?.returnAddress === address) {
        tab.returnAddress = undefined
        await tab.page.unrouteAll({ behavior: 'ignoreErrors' })
        return openPage(tab.frame, address)
      }
      return openPage((await openTab(tab)).mainFrame(), address)
    },
  }
}

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
export function toBrowserError(error: unknown): CheckError {
  if (error instanceof CheckError) return error
  const [line = ''] = (error as Error).message.split('\n')
  return new CheckError(`A step in the browser failed: ${line}.`)
}

async function press(button: Locator): Promise<void> {
  await button.click().catch((error) => {
    throw toBrowserError(error)
  })
}

async function findForm(frame: Frame): Promise<'card' | 'receipt' | 'waiting' | undefined> {
  if (await isShown(frame, NUMBER)) return 'card'
  if (await isShown(frame, '#waiting')) return 'waiting'
  return (await isShown(frame, 'main h1.done')) ? 'receipt' : undefined
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
  try {
    for (const [name, value] of Object.entries(fields)) await frame.fill(`[name="${name}"]`, value)
    await frame.evaluate('document.documentElement.dataset.sent = "true"')
    await frame
      .locator(`form:has(${NUMBER})`)
      .locator('button:not([type="button"]):not([form]), input[type="submit"]')
      .last()
      .click()
  } catch (error) {
    throw toBrowserError(error)
  }
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
