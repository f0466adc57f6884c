import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeStaticDocs } from '../../build/static-docs.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'static-docs-'))
let browser: TestBrowser
beforeAll(async () => {
  await writeStaticDocs(folder)
  browser = await launchBrowser()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the static site opens from its folder with its styles, and links to guides and errors', async () => {
  const { page, requests, problems } = await browser.open({
    viewport: { width: 1280, height: 900 },
  })
  await page.goto(pathToFileURL(join(folder, 'index.html')).href)
  const menu = page.getByRole('navigation', { name: 'Contents' })
  // The style puts the menu next to the text.
  const [left, right] = await Promise.all([menu.boundingBox(), page.locator('h1').boundingBox()])
  expect(left?.width).toBeLessThan(right?.x ?? 0)
  await menu.getByRole('link', { name: 'Rotate a secret' }).click()
  await page.getByRole('heading', { level: 1, name: 'Rotate a secret' }).waitFor()
  await page.getByRole('link', { name: 'Documentation' }).first().click()
  await page.locator('summary:has(#errors)').click()
  await page.locator('main').getByRole('link', { name: '107', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Error 107' }).waitFor()
  expect(requests.filter(({ url }) => !url.startsWith('file:'))).toEqual([])
  expect(problems).toEqual([])
})
