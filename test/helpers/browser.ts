import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { onTestFinished } from 'vitest'
import { findChromium, findShell } from '../setup/chromium.ts'
import { inFirefox, isOfDriver, launchFirefox } from './firefox.ts'
import { isLong } from './some.ts'

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

interface PageOptions extends BrowserContextOptions {
  /**
   * True for a test that changes the profile itself, for example with a script for every window.
   * No other test gets its profile.
   */
  readonly ownProfile?: true
}

export interface TestBrowser {
  /** Opens an empty page in an empty profile. It is closed after the test. */
  open(options?: PageOptions): Promise<WatchedPage>
}

/**
 * Features of Chromium that the tests do not need. A whole browser opens a window for every
 * profile, with its own web pages in two processes, which cost as much as a payment. Only the last
 * list counts, so the driver's own list is repeated.
 */
const FEATURES_OFF = [
  ...[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'SpareRendererForSitePerProcess',
  ],
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'LensOverlay',
  ],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...[
    'AvoidCorsURLLoaderRestartOnRedirect',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
  ],
  'PreconnectToSearch',
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
 * Flags for the engine alone: it draws and fetches in its first process instead of two additional
 * ones, and pages share processes.
 */
const ENGINE_FLAGS = [
  '--in-process-gpu',
  '--disable-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--renderer-process-limit=1',
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
  const args = kind === 'whole' ? FLAGS : [...FLAGS, ...ENGINE_FLAGS]
  const options = { executablePath, args, ignoreDefaultArgs: ['--disable-popup-blocking'] }
  const browser = await chromium.launch(options)
  return (options) => browser.newContext(options)
}

/**
 * Starts a headless Chromium. The whole browser blocks windows that no click opened, as users'
 * browsers do.
 * @throws Error if there is none; `npm test` explains how to get it
 */
export async function launchBrowser(asked: Kind = 'engine'): Promise<TestBrowser> {
  const kind = isLong || inFirefox ? 'whole' : asked
  started[kind] ??= inFirefox ? launchFirefox() : startChromium(kind)
  const openProfile = await started[kind]
  return {
    async open({ ownProfile = false, ...options } = {}) {
      const key = JSON.stringify([kind, options])
      const page =
        (!ownProfile && takeIdle(key)) ||
        (await (await openProfile({ locale: 'en-GB', ...options })).newPage())
      const context = page.context()
      context.setDefaultTimeout(120_000)
      const requests: SentRequest[] = []
      const problems: string[] = []
      onTestFinished(async ({ task }) => {
        const isClean = !ownProfile && !inFirefox && task.result?.state === 'pass'
        const next = isClean && (await cleaned(context, requests).catch(() => undefined))
        if (next) await keepIdle(key, next)
        else await context.close()
      })
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
        const problem = String(error.error())
        if (!isOfDriver(problem)) problems.push(problem)
      })
      return { page, requests, problems }
    },
  }
}

/**
 * Number of profiles that wait for a test with the same options. Each of them has a process of the
 * browser.
 */
const MOST_IDLE = 2

/** Empty pages in clean profiles by the options of their tests, the oldest first. */
const idle = new Map<string, Page>()

function takeIdle(key: string): Page | undefined {
  const page = idle.get(key)
  idle.delete(key)
  return page
}

async function keepIdle(key: string, page: Page): Promise<void> {
  const replaced = takeIdle(key)
  idle.set(key, page)
  const [oldest] = idle.size > MOST_IDLE ? idle.keys() : []
  const surplus = replaced ?? (oldest === undefined ? undefined : takeIdle(oldest))
  await surplus?.context().close()
}

/**
 * Removes everything that a test left in a profile, because a new profile costs as much as a
 * payment. Resolves with a new empty page, the only one of the profile.
 */
async function cleaned(context: BrowserContext, requests: readonly SentRequest[]): Promise<Page> {
  for (const event of ['request', 'console', 'weberror']) await context.removeAllListeners(event)
  await context.unrouteAll()
  const used = context.pages()
  // The new page comes first: with the last page, the process of the profile would end.
  const page = await context.newPage()
  await Promise.all(used.map((each) => each.close()))
  const session = await context.newCDPSession(page)
  const origins = new Set(requests.map(({ url }) => new URL(url).origin))
  // Addresses without a host have this origin, and store nothing.
  origins.delete('null')
  await session.send('Network.clearBrowserCache')
  for (const origin of origins)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await context.clearCookies()
  await session.detach()
  return page
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
