/**
 * Tests of the home page `/` in a browser: the first payment with one button, and its result in the
 * console.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

let gateway: RunningGateway
let browser: TestBrowser
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  browser = await launchBrowser()
})
afterAll(() => gateway.close())

test.each([
  ['with its script, at the name that it has', true, 'localhost', { width: 1280, height: 800 }],
  [
    'without a script, at another name, on a phone',
    false,
    '127.0.0.1',
    { width: 320, height: 640 },
  ],
])(
  'the home page %s makes a payment and links to the console',
  async (_what, javaScriptEnabled, host, viewport) => {
    const at = `http://${host}:${new URL(gateway.url).port}`
    const { page, problems } = await browser.open({ javaScriptEnabled, viewport })
    await page.goto(`${at}/`)
    await page.click('text=Pay 10.00 SEK')
    expect(new URL(page.url()).origin).toBe(at)
    expect(await page.innerText('[role=status]')).toMatch(/^Payment \d+ is approved\.$/)
    if (javaScriptEnabled) {
      expect(await violationsOn(page)).toEqual([])
      await expectToFit(page, 'home')
    }
    await page.click('text=See what happened')
    expect(await page.innerText('h1')).toMatch(/^10\.00 SEK\s+Approved$/)
    expect(page.url()).toContain(`${at}/console/1/transactions/`)
    expect(problems).toEqual([])
  },
)
