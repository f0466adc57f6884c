import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserType } from 'playwright-core'
import {
  createBrowserPayer,
  createPaymentTabs,
  createTab,
  toBrowserError,
} from './browser-payer.ts'
import { CheckError } from './errors.ts'
import type { BrowserStep } from './plan-schema.ts'
import { isPaymentPage } from './shop-calls.ts'
import { poll } from './time.ts'

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
 * Creates a browser that is started at the first purchase.
 * @param timeout milliseconds for each step
 */
export function createShopBrowser(shopUrl: string, timeout: number) {
  let starting: Promise<Browser> | undefined
  const tabs = createPaymentTabs(async () => {
    starting ??= startChromium().catch((error) => {
      starting = undefined
      throw error
    })
    const context = await (await starting).newContext({ ignoreHTTPSErrors: true })
    context.setDefaultTimeout(timeout)
    return context
  })
  return {
    /** @returns the address of the payment page, in the window or in a frame */
    async buy(steps: readonly BrowserStep[]): Promise<string> {
      const context = await tabs.createContext()
      try {
        const page = await context.newPage()
        for (const step of steps) {
          if ('open' in step) await page.goto(new URL(step.open, shopUrl).href)
          else if ('fill' in step) await page.fill(step.fill, step.value)
          else await page.click(step.click)
        }
        const found = await poll(
          async () => page.frames().find((frame) => isPaymentPage(frame.url())),
          timeout,
        )
        if (found) return tabs.add(found.url(), createTab(page, found))
        throw new CheckError(`The steps ended at ${page.url()} without a payment page.`)
      } catch (error) {
        await context.close()
        throw toBrowserError(error)
      }
    },
    /** Creates the payer who continues in the tabs of these purchases. */
    createPayer: (gatewayUrl: string) => createBrowserPayer(gatewayUrl, tabs, timeout),
    async close(): Promise<void> {
      await (await starting)?.close()
    },
  }
}

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
