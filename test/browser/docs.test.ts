import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { runInMemory } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'
import { expectToFit } from './fit.ts'

const gateway = await share(runInMemory())
const browser = await launchBrowser()

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }

async function openDocs(
  path: string,
  options: Parameters<TestBrowser['open']>[0] = { viewport: DESKTOP },
) {
  const { page, problems } = await browser.open(options)
  await page.goto(`${gateway.url}/docs${path}`)
  expect(problems).toEqual([])
  return page
}

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)

describe('/docs', () => {
  test.each([
    ['', PHONE, 'light'],
    ['/calls/createTransaction', PHONE, 'dark'],
    ['/reference/webhooks', DESKTOP, 'light'],
    ['/errors/107', DESKTOP, 'dark'],
  ] as const)('%s fits %o in %s', async (path, viewport, colorScheme) => {
    const page = await openDocs(path, { viewport, colorScheme })
    expect(await topOf(page, 'h1')).toBeLessThan(viewport.height / 2)
    await expectToFit(page, `docs${path.replaceAll('/', '-')}-${viewport.width}-${colorScheme}`)
  })

  test('links to every guide and call, and marks the current page', async () => {
    const page = await openDocs('/reference/webhooks')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    expect(await menu.locator('[aria-current=page]').textContent()).toBe('Webhooks')
    await menu.getByRole('link', { name: 'Every call' }).click()
    await page.waitForURL('**/docs#every-call')
    await page.getByText('Refunds', { exact: true }).last().click()
    await page.getByRole('link', { name: 'POST /v1/refunds' }).click()
    await page.getByRole('heading', { level: 1, name: 'Refunds a payment, or releases' }).waitFor()
    await menu.getByRole('link', { name: 'Reads a refund' }).waitFor()
  })

  test('the menu scrolls to the current page, and the page stays', async () => {
    const page = await openDocs('/reference/embedding')
    const current = page.locator('nav [aria-current=page]')
    const { y = 0, height = 0 } = (await current.boundingBox()) ?? {}
    expect([y > 100, y + height < DESKTOP.height]).toEqual([true, true])
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })

  test.each([
    ['error-107', '/errors/107'],
    [
      'library-config.merchant_mismatch',
      '/reference/library-messages#library-config.merchant_mismatch',
    ],
  ])('redirects #%s, because the library links to it', async (anchor, to) => {
    const page = await openDocs(`#${anchor}`)
    await page.waitForURL(`**/docs${to}`)
  })

  test('filters the rows of a long table by every typed word, also on a phone', async () => {
    const page = await openDocs('/errors', { viewport: PHONE })
    const shown = () => page.locator('tbody tr:visible td:first-child').allInnerTexts()
    await page.getByRole('searchbox', { name: 'Filter the table' }).fill('hash wrong')
    expect(await shown()).toEqual(['107'])
    await page.getByRole('searchbox', { name: 'Filter the table' }).fill('')
    expect((await shown()).length).toBeGreaterThan(100)
  })

  test('shows the contents of a long page next to its text, and behind a button on a phone', async () => {
    const wide = await openDocs('/reference/library')
    const contents = wide.getByRole('navigation', { name: 'On this page' })
    const left = async (locator: Locator) => (await locator.boundingBox())?.x ?? 0
    expect(await left(contents)).toBeGreaterThan((await left(wide.locator('article'))) + 600)
    await contents.getByRole('link', { name: 'Events', exact: true }).click()
    await wide.waitForURL('**/docs/reference/library#events')
    const narrow = await openDocs('/reference/library', { viewport: PHONE })
    const link = narrow.locator('.contents').getByRole('link', { name: 'Events', exact: true })
    expect(await link.isVisible()).toBe(false)
    await narrow.locator('.contents').getByText('On this page').first().click()
    await link.waitFor()
  })
})
