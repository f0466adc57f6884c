import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Font Noto as base64. Many machines have it instead of DejaVu, and its letters are wider. The part
 * for Cyrillic comes first, because a browser calculates the width of an input from the widest
 * letter of its first font, and the part for Latin lacks the widest letters.
 */
const NOTO = [
  'noto-sans-cyrillic',
  'noto-sans-latin',
  'noto-sans-mono-cyrillic',
  'noto-sans-mono-latin',
].map((part) => {
  const file = `@fontsource-variable/${part.replace(/-\w+$/, '')}/files/${part}-wght-normal.woff2`
  return [part, readFileSync(fileURLToPath(import.meta.resolve(file)), 'base64')] as const
})

/**
 * Waits for the style sheets of a page, and expects that it needs no horizontal scrolling in either
 * font. In the full run, also takes a picture of the whole page.
 */
export async function expectToFit(page: Page, name: string): Promise<void> {
  await page.waitForLoadState()
  const path = fileURLToPath(new URL(`screenshots/${name}.png`, import.meta.url))
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  await expectToFitAsItIs(page, 'in the font of this machine')
  await inNoto(page, () => expectToFitAsItIs(page, 'in Noto'))
}

/**
 * Expects that no element is too wide, and that no short word of a link in the bar or in a list is
 * broken. The failure lists such elements and words.
 */
async function expectToFitAsItIs(page: Page, font: string): Promise<void> {
  const { wanted, given, beyond, broken } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const out = [...document.body.querySelectorAll('*')].filter(
      (each) => each.getBoundingClientRect().right > clientWidth + 0.5,
    )
    const beyond =
      scrollWidth > clientWidth ? out.slice(-3).map((each) => each.outerHTML.slice(0, 200)) : []
    const broken: string[] = []
    for (const { firstChild: text } of document.querySelectorAll('header a, .compact a'))
      if (text instanceof Text)
        for (const { 0: word, index } of text.data.matchAll(/\p{L}{2,12}/gu)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          const lines = new Set([...range.getClientRects()].map(({ y }) => y))
          if (lines.size > 1) broken.push(word)
        }
    return { wanted: scrollWidth, given: clientWidth, beyond, broken }
  })
  expect({ font, wanted, beyond, broken }).toEqual({ font, wanted: given, beyond: [], broken: [] })
}

/**
 * Runs a function while the page has the font Noto. The page's policy does not forbid fonts and
 * styles that a script sets.
 */
async function inNoto(page: Page, look: () => Promise<void>): Promise<void> {
  await page.evaluate(async (files) => {
    for (const [family, file] of files) {
      const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0))
      document.fonts.add(await new FontFace(family, bytes, { weight: '100 900' }).load())
    }
    for (const each of document.querySelectorAll('body, body *'))
      if (getComputedStyle(each).fontFamily.includes('mono')) each.setAttribute('data-mono', '')
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      * { font-family: noto-sans-cyrillic, noto-sans-latin !important }
      [data-mono] { font-family: noto-sans-mono-cyrillic, noto-sans-mono-latin !important }`)
    document.adoptedStyleSheets.push(sheet)
  }, NOTO)
  await look()
  await page.evaluate(() => {
    document.adoptedStyleSheets.pop()
    for (const each of document.querySelectorAll('[data-mono]')) each.removeAttribute('data-mono')
  })
}
