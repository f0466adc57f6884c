import { asFault, Fault } from '../errors/faults.ts'
import { requireJQuery } from './require.ts'

/** How often a missing jQuery is looked for, and how long after the page was read; milliseconds. */
const PAUSE = 50
const PATIENCE = 10_000

/** Names of jQuery and of its look-alike on a page. */
type Page = Window & { jQuery?: unknown; Zepto?: unknown }

/** Waits for the page's jQuery: until the page is read and ten seconds more. When the page is read it looks once more,
 * for a jQuery that took the first one's place.
 * @param found called once for each usable jQuery
 * @param failed called with `integration.no_jquery`, `integration.not_jquery` or `integration.jquery_too_old` */
export function findJQuery(page: Page, found: (jq: JQueryStatic) => void, failed: (fault: Fault) => void): void {
  const seen = new Set<unknown>()
  let deadline: number | undefined

  const look = (): void => {
    const candidate = page.jQuery ?? page.Zepto
    if (!candidate || seen.has(candidate)) return
    seen.add(candidate)
    try {
      requireJQuery(candidate)
      found(candidate)
    } catch (thrown) {
      failed(asFault(thrown))
    }
  }

  const wait = (): void => {
    look()
    if (page.document.readyState === 'loading') return void setTimeout(wait, PAUSE)
    if (seen.size) return
    deadline ??= Date.now() + PATIENCE
    if (Date.now() < deadline) setTimeout(wait, PAUSE)
    else failed(new Fault('integration.no_jquery'))
  }

  page.document.addEventListener('DOMContentLoaded', look, { once: true })
  wait()
}
