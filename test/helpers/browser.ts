import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium, findShell, onPath } from '../setup/chromium.ts'

/** Request that left a page. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Body of the request. Empty if it had none. */
  readonly body: string
}

/** Page in a browser profile of the test, with its recorded problems and requests. */
export interface WatchedPage {
  readonly page: Page
  /** Requests of this page and its windows so far, in order. */
  readonly requests: readonly SentRequest[]
  /**
   * Errors on the console, including violations of the content security policy, and uncaught
   * exceptions.
   */
  readonly problems: readonly string[]
}

export interface TestBrowser {
  /** Opens an empty page in an empty profile. It is closed after the test. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>
}

/**
 * Features of Chromium that are turned off. `RenderDocument` loses messages of `pagehide` and the
 * order to close a page that navigates. A whole browser opens a window for every profile, with its
 * own web pages in two processes. Only the last list counts, so the driver's own list is repeated.
 */
const FEATURES_OFF = [
  'RenderDocument',
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['SpareRendererForSitePerProcess', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter'],
  ...['HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying'],
  ...['AimEnabled', 'PreconnectToSearch'],
]

const FLAGS = [
  `--disable-features=${FEATURES_OFF}`,
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Kind of Chromium: the engine alone, or the whole browser for tests that need its windows, for
 * example blocked ones. The full run of the tests uses only the whole browser.
 */
export type Kind = 'engine' | 'whole'

/** Browsers that the test files of this process share. They end with the process. */
const started: Partial<Record<Kind, Promise<Started>>> = {}

/** Function of a started browser that creates a profile. */
type Started = (options: BrowserContextOptions) => Promise<BrowserContext>

async function startChromium(kind: Kind): Promise<Started> {
  const executablePath = kind === 'whole' ? findChromium(process.env) : findShell(process.env)
  if (!executablePath)
    throw new Error('The browser tests need Chromium: run npm test, or set CHROMIUM_PATH.')
  const options = { executablePath, args: FLAGS, ignoreDefaultArgs: ['--disable-popup-blocking'] }
  const browser = await chromium.launch(options)
  return (options) => browser.newContext(options)
}

/**
 * Starts Firefox for `npm run lab -- browser --in firefox`. Its driver cannot turn off JavaScript,
 * has no autofill and no accessibility tree, and does not show bodies of requests.
 */
async function startFirefox(): Promise<Started> {
  const { FIREFOX_PATH, ...env } = process.env
  const executablePath = FIREFOX_PATH ?? onPath(['firefox-esr', 'firefox'], env)[0]
  if (!executablePath) throw new Error('These tests need Firefox: install it, or set FIREFOX_PATH.')
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    firefoxUserPrefs: {
      // Gives the focus to every window, also if several are open.
      'focusmanager.testmode': true,
      // Lets a click reach a frame of another site.
      'remote.events.async.mouse.enabled': true,
      // Draws scrollbars over the page, so that they do not reduce the width of a narrow page.
      'ui.useOverlayScrollbars': 1,
      // Blocks windows that open without a click, like browsers of users.
      'dom.disable_open_during_load': true,
    },
  })
  return (options) => browser.newContext(options)
}

/**
 * Starts a headless Chromium. The whole browser blocks windows that no click opened, as users'
 * browsers do.
 * @throws Error if there is none; `npm test` explains how to get it
 */
export async function launchBrowser(asked: Kind = 'engine'): Promise<TestBrowser> {
  const { TEST_BROWSER } = process.env
  const kind = TEST_BROWSER === undefined ? asked : 'whole'
  started[kind] ??= TEST_BROWSER === 'firefox' ? startFirefox() : startChromium(kind)
  const openProfile = await started[kind]
  return {
    async open(options) {
      const context = await openProfile({ locale: 'en-GB', ...options })
      onTestFinished(() => closeProfile(context))
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const requests: SentRequest[] = []
      const problems: string[] = []
      context.on('request', (request) => {
        requests.push({
          method: request.method(),
          url: request.url(),
          body: request.postData() ?? '',
        })
      })
      context.on('console', (message) => {
        if (message.type() === 'error')
          problems.push(`${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => {
        problems.push(String(error.error()))
      })
      return { page, requests, problems }
    },
  }
}

/** Limit in milliseconds of the end of a profile. The browser ends it later if it hangs. */
const CLOSE_LIMIT_MS = 5_000

/**
 * Closes a profile with its pages. A page is never closed alone, because Chromium can forget to
 * close a page that navigates.
 */
async function closeProfile(context: BrowserContext): Promise<void> {
  await Promise.race([
    context.close(),
    new Promise((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref()),
  ])
}

/**
 * Speeds up the timers of a page by a factor. Timers of windows that the page opens are not
 * changed.
 */
export async function hurry(page: Page, times: number): Promise<void> {
  await page.addInitScript((factor) => {
    const { setTimeout, setInterval } = window
    Object.assign(window, {
      setTimeout: (run: () => void, after = 0, ...given: []) =>
        setTimeout(run, after / factor, ...given),
      setInterval: (run: () => void, every = 0, ...given: []) =>
        setInterval(run, every / factor, ...given),
    })
  }, times)
}
