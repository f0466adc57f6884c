import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  firefox,
} from 'playwright-core'
import { findFirefox } from '../setup/firefox.ts'

/** True if the browser tests run in Firefox (`npm run lab -- browser --in firefox`). */
export const inFirefox = process.env.TEST_BROWSER === 'firefox'

/**
 * Returns true if a problem is about the style with which the driver hides the caret in a
 * screenshot. No page policy allows that style.
 */
export const isOfDriver = (problem: string): boolean =>
  inFirefox && problem.includes('sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=')

const PREFERENCES = {
  // Gives the focus to every window, also if several are open.
  'focusmanager.testmode': true,
  // Lets a click reach a frame of another site.
  'remote.events.async.mouse.enabled': true,
  // Draws scrollbars over the page, like on a phone, so that they do not reduce the width of a
  // narrow page.
  'ui.useOverlayScrollbars': 1,
  // Blocks windows that open without a click, like browsers of users. The driver would allow them.
  'dom.disable_open_during_load': true,
}

/** Sends one command of WebDriver BiDi. */
type Send = (method: string, params: object) => Promise<object>

/** The driver's object of a browser or profile in this process. */
interface Driven {
  readonly _browserSession: { send: Send }
  readonly _browserContextId: string
}

const impl = (driven: Browser | BrowserContext): Driven =>
  (driven as unknown as { _connection: { toImpl(of: unknown): Driven } })._connection.toImpl(driven)

/** Command of the driver for media features of profiles or windows. */
interface Media {
  readonly features: Readonly<Record<string, string | null>>
  readonly userContexts?: readonly string[]
  readonly contexts?: readonly string[]
}

/** Display settings of a window, with the names that Firefox uses. */
interface Look {
  readonly prefersColorSchemeOverride?: string | null
  readonly forcedColorsOverride?: string
  readonly allowJavascript?: boolean
}

/**
 * Function that runs inside Firefox. It changes the display of some windows, and of all windows
 * that profiles open from now on.
 */
const DRESS = `(look, userContexts, contexts) => {
  const { NavigableManager } = ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs')
  const { UserContextManager } = ChromeUtils.importESModule('chrome://remote/content/shared/UserContextManager.sys.mjs')
  const dress = (each, how) => each.parent || Object.assign(each, how)
  for (const id of contexts) dress(NavigableManager.getBrowsingContextById(id), look)
  if (!window.looks) {
    window.looks = new Map()
    const attached = (each) => dress(each, looks.get(each.originAttributes.userContextId))
    Services.obs.addObserver(attached, 'browsing-context-attached')
  }
  for (const id of userContexts.map((id) => UserContextManager.getInternalIdById(id)))
    looks.set(id, { ...looks.get(id), ...look })
}`

/** Converts a value to the format of the protocol. */
const local = (value: unknown): object => {
  if (Array.isArray(value)) return { type: 'array', value: value.map(local) }
  if (value === null) return { type: 'null' }
  if (typeof value !== 'object') return { type: typeof value, value }
  return { type: 'object', value: Object.entries(value).map(([name, each]) => [name, local(each)]) }
}

/**
 * Starts a headless Firefox with the settings of users, over WebDriver BiDi. Features that the
 * protocol lacks (colours, pages without JavaScript) are set inside Firefox.
 * @returns a function that opens a profile of its own
 * @throws Error if there is none
 */
export async function launchFirefox(): Promise<
  (options: BrowserContextOptions) => Promise<BrowserContext>
> {
  const executablePath = findFirefox(process.env)
  if (!executablePath) throw new Error('These tests need Firefox: install it, or set FIREFOX_PATH.')
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    args: ['--remote-allow-system-access'],
    // Clicks outside of the window would be lost, so the window is larger than any page of the
    // tests.
    env: { ...process.env, MOZ_HEADLESS_WIDTH: '2000', MOZ_HEADLESS_HEIGHT: '1600' },
    firefoxUserPrefs: PREFERENCES,
  })
  const session = impl(browser)._browserSession
  const sessions = Object.getPrototypeOf(session) as { send: Send }
  const { send } = sessions
  const tree = await session.send('browsingContext.getTree', { 'moz:scope': 'chrome' })
  const [target] = (tree as { contexts: { context: string }[] }).contexts
  const dress = (
    look: Look,
    userContexts: readonly string[] = [],
    contexts: readonly string[] = [],
  ) =>
    send.call(session, 'script.callFunction', {
      functionDeclaration: DRESS,
      arguments: [look, userContexts, contexts].map(local),
      target: { context: target?.context },
      awaitPromise: false,
    })
  sessions.send = function (method, params) {
    if (method === 'emulation.setMediaFeaturesOverride') {
      const { features, userContexts, contexts } = params as Media
      return dress(
        { prefersColorSchemeOverride: features['prefers-color-scheme'] ?? 'none' },
        userContexts,
        contexts,
      )
    }
    // The driver's own calls must not count as clicks of the payer, since only a click may open a
    // window.
    return send.call(
      this,
      method,
      'userActivation' in params ? { ...params, userActivation: false } : params,
    )
  }
  return async ({ javaScriptEnabled = true, forcedColors, viewport, ...options }) => {
    // Key that belongs to no merchant.
    const context = await browser.newContext({ ...options, viewport: null })
    const look = {
      allowJavascript: javaScriptEnabled,
      forcedColorsOverride: forcedColors ?? 'none',
    }
    await dress(look, [impl(context)._browserContextId])
    const newPage = context.newPage.bind(context)
    context.newPage = async () => {
      const page = await newPage()
      await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
      return page
    }
    return context
  }
}
