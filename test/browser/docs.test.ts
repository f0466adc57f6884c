import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { expectToFit } from './fit.ts'

let gateway: Awaited<ReturnType<typeof runGateway>>
let browser: TestBrowser
beforeAll(async () => {
  gateway = await runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, () => {})
  browser = await launchBrowser()
})
afterAll(async () => {
  await gateway.close()
})

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }

async function openDocs(viewport: { width: number; height: number }, colorScheme: 'light' | 'dark' = 'light') {
  const { page, problems } = await browser.open({ viewport, colorScheme })
  await page.goto(`${gateway.url}/docs`)
  expect(problems).toEqual([])
  return page
}

const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)

describe('/docs', () => {
  test.each([
    ['a phone', PHONE, 'light'],
    ['a phone in the dark', PHONE, 'dark'],
    ['a desktop', DESKTOP, 'light'],
    ['a desktop in the dark', DESKTOP, 'dark'],
  ] as const)('fits %s and begins with its heading', async (_what, viewport, scheme) => {
    const page = await openDocs(viewport, scheme)
    expect(await topOf(page, 'h1')).toBeLessThan(50)
    expect(await topOf(page, 'main')).toBeLessThan(viewport.height / 2)
    await expectToFit(page, `docs-${viewport.width}-${scheme}`)
  })

  test('leads to every group of calls on a phone, and to every call on a desktop', async () => {
    const onPhone = await openDocs(PHONE)
    expect(await onPhone.getByRole('navigation').getByRole('link').count()).toBeLessThan(20)
    await onPhone.getByRole('navigation').getByRole('link', { name: 'Errors' }).click()
    expect(await topOf(onPhone, '#errors')).toBeLessThan(100)
    const onDesktop = await openDocs(DESKTOP)
    await onDesktop.getByRole('link', { name: 'POST /v1/refunds' }).waitFor()
  })

  test('names what stands in a cell also on a phone, where columns have no heads', async () => {
    const page = await openDocs(PHONE)
    const heads = await page
      .locator('tr:has(#error-129) td')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content))
    expect(heads).toEqual(['"Name"', '"Status"', '"Description"', '"How to provoke it"'])
  })
})
