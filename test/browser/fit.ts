import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isLong } from '../helpers/some.ts'

/** Expects that nobody has to scroll sideways; in the long form takes a picture of the whole page too. */
export async function expectToFit(page: Page, name: string): Promise<void> {
  const path = fileURLToPath(new URL(`screenshots/${name}.png`, import.meta.url))
  if (isLong) await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  const { wanted, given } = await page.evaluate(() => ({
    wanted: document.documentElement.scrollWidth,
    given: document.documentElement.clientWidth,
  }))
  expect(wanted).toBe(given)
}
