import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Takes a picture of the whole page, and expects that nobody has to scroll sideways. */
export async function expectToFit(page: Page, name: string): Promise<void> {
  const screenshots = new URL('screenshots/', import.meta.url)
  await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname, fullPage: true, animations: 'disabled' })
  const { wanted, given } = await page.evaluate(() => ({
    wanted: document.documentElement.scrollWidth,
    given: document.documentElement.clientWidth,
  }))
  expect(wanted).toBe(given)
}
