import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../setup/chromium.ts'
import { median, type Plan } from './compare.ts'
import { print, printFigure } from './report.ts'
import { startGatewayForTests } from './servers.ts'

const JQUERY = readFileSync(
  new URL('../../../node_modules/jquery/dist/jquery.min.js', import.meta.url),
  'utf8',
)

/** Input of a payer in a form with encrypted fields. */
const FIELDS = ['4111111111111111', 'Kim Berg', '1235', '200', 'VISA']

/** Number of encryptions until the code is warm, and number of measured ones. */
const WARM = 20
const MEASURED = 20

/**
 * Measures the library in a page of Chromium: parsing, running, and encrypting the payer's input.
 */
export async function measureLibrary(plan: Plan): Promise<void> {
  const executablePath = findChromium(process.env)
  if (!executablePath)
    throw new Error('There is no Chromium: npm test gets it, or CHROMIUM_PATH names it.')
  const gateway = await startGatewayForTests(1)
  const library = `http://localhost:${gateway.port}/v2/mondido.js?merchant_id=1`
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const shop = await openShop(library)
  const runs: number[] = []
  const encryptions: number[] = []
  for (let turn = 0; turn < plan.starts; turn += 1) {
    // The page has its own profile, whose cache is empty.
    const page = await browser.newPage()
    runs.push(await runOf(browser, page, shop, library))
    encryptions.push(
      median(await page.evaluate(encryptIn, { fields: FIELDS, warm: WARM, measured: MEASURED })),
    )
    await page.close()
  }
  await browser.close()
  shop.close()
  await gateway.stop()
  print(`\nThe library in a page of Chromium, milliseconds, median of ${plan.starts} pages`)
  printFigure('parsed and run on the page’s thread', median(runs), '', { atMost: 1.5 })
  printFigure(`${FIELDS.length} fields encrypted, warm`, median(encryptions), '', { atMost: 3 })
}

/**
 * Starts a shop whose page loads this library. It is a server, because a page that the driver
 * creates cannot load local files.
 */
async function openShop(library: string): Promise<Server> {
  const scripts = ['/jquery.js', library]
    .map((address) => `<script src="${address}"></script>`)
    .join('')
  const html = `<!doctype html><title>Shop</title><form></form>${scripts}`
  const shop = createServer((request, response) => {
    const isScript = request.url === '/jquery.js'
    response
      .setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
      .end(isScript ? JQUERY : html)
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  return shop
}

/**
 * Measures parsing and running the library.
 * @returns milliseconds of the page's thread; most of the parsing is done on another thread during
 *   loading
 */
async function runOf(browser: Browser, page: Page, shop: Server, library: string): Promise<number> {
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`)
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    readonly traceEvents: TraceEvent[]
  }
  const run = traceEvents.find(
    ({ name, args }) => name === 'EvaluateScript' && JSON.stringify(args).includes(library),
  )
  return (run?.dur ?? Number.NaN) / 1_000
}

/** Event of a trace that Chromium writes. */
interface TraceEvent {
  readonly name: string
  /** Duration in microseconds. */
  readonly dur?: number
  readonly args?: object
}

/**
 * Encrypts in the page.
 * @returns milliseconds of each encryption
 */
function encryptIn(given: {
  readonly fields: readonly string[]
  readonly warm: number
  readonly measured: number
}) {
  const { mondido } = jQuery
  const times = Array.from({ length: given.warm + given.measured }, () => {
    const start = performance.now()
    for (const field of given.fields) mondido.encrypt(field)
    return performance.now() - start
  })
  return times.slice(given.warm)
}
