/** Tests of the page of the design system: sizes and contrast. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../mock-gateway/cli.ts'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { violationsOn } from './axe.ts'
import { expectToFit } from './fit.ts'

const KEY = 'a-key-of-our-own'

let gateway: RunningGateway
let browser: TestBrowser
beforeAll(async () => {
  const flags = ['--memory', '--port', '0', '--control-key', KEY]
  gateway = await runGateway(flags, { LOG_LEVEL: 'silent' }, () => {})
  browser = await launchBrowser()
})
afterAll(() => gateway.close())

async function openDesign(options: Parameters<TestBrowser['open']>[0]): Promise<Page> {
  const { page } = await browser.open(options)
  await page.goto(`${gateway.url}/console/login`)
  await page.fill('[name=username]', 'admin')
  await page.fill('[name=password]', KEY)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(/\/console\/\w+$/)
  await page.goto(`${gateway.url}/console/design`)
  return page
}

const DESKTOP = { width: 1280, height: 860 }

const LOOKS = [
  ['in the light theme', { colorScheme: 'light', viewport: DESKTOP }],
  ['in the dark theme', { colorScheme: 'dark', viewport: DESKTOP }],
  ['in the light theme with forced colours', { forcedColors: 'active', viewport: DESKTOP }],
  [
    'in the dark theme with forced colours',
    { forcedColors: 'active', colorScheme: 'dark', viewport: DESKTOP },
  ],
  [
    'in the light theme on a phone',
    { colorScheme: 'light', viewport: { width: 390, height: 740 } },
  ],
] as const

describe.each(LOOKS)('%s,', (_name, options) => {
  test('every text of the design has a contrast of at least 4.5', async () => {
    const page = await openDesign(options)
    const { weak, count } = await page.evaluate(measureContrast)
    expect(weak).toEqual([])
    expect(count).toBeGreaterThan(80)
  })
})

test('buttons have one size in three weights and one for danger, and fields and table rows the same height', async () => {
  const page = await openDesign({ viewport: DESKTOP })
  const heightsOf = (selector: string) =>
    page
      .locator(`[data-part] ${selector}`)
      .evaluateAll((all) => [...new Set(all.map((each) => each.getBoundingClientRect().height))])
  expect(await heightsOf('.presets > :is(button, a)')).toEqual([36])
  expect(await heightsOf(':is(input, select)')).toEqual([36])
  const rows = await heightsOf('table.compact tbody tr')
  expect(rows.map(Math.round)).toEqual([36])
  const weights = await page.locator('.presets > button').evaluateAll((all) =>
    all.map((each) => {
      const { backgroundColor, borderColor } = getComputedStyle(each)
      return `${backgroundColor} ${borderColor}`
    }),
  )
  expect(new Set(weights).size).toBe(4)
})

test('axe finds no accessibility problem in the design, which also fits a phone', async () => {
  const page = await openDesign({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
  expect(await violationsOn(page)).toEqual([])
  await expectToFit(page, 'console-design-320')
})

/**
 * Runs in the page, and returns the texts whose contrast (WCAG 2.2) is below 4.5, and the number of
 * all texts.
 */
function measureContrast(): { weak: string[]; count: number } {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = ([red = 0, green = 0, blue = 0]: readonly number[]) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((each) => {
      const part = each / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const groundOf = (element: Element | null): readonly number[] => {
    if (!element) return channels(getComputedStyle(document.documentElement).backgroundColor)
    const ground = channels(getComputedStyle(element).backgroundColor)
    return ground[3] === 0 ? groundOf(element.parentElement) : ground
  }
  const weak: string[] = []
  let count = 0
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element?.checkVisibility() || !node.textContent?.trim()) continue
    count++
    const ink = luminance(channels(getComputedStyle(element).color))
    const ground = luminance(groundOf(element))
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)
    if (contrast < 4.5) weak.push(`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 120)}`)
  }
  return { weak, count }
}
