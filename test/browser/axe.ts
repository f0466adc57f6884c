import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Returns the problems that axe-core finds on a page (WCAG 2.2 AA and best practice): the rule, and
 * the elements.
 */
export async function violationsOn(page: Page): Promise<string[][]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
    }
    const { violations } = await axe.run({
      // Other results are not used, and no page has style sheets of another origin to load.
      resultTypes: ['violations'],
      preload: false,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
  })
}
