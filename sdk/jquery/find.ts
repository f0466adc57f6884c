import { tell } from '../advice/tell.ts'
import { asFault, Fault } from '../errors/faults.ts'
import { requireJQuery } from './require.ts'

/** How often a missing jQuery is looked for, and how long after the page was read; milliseconds. */
const PAUSE = 50
const PATIENCE = 10_000

/** How browsers say that a page uses jQuery or the plugin too early. */
const TOO_EARLY = /mondido is not a function|\b(\$|jQuery) is not defined|variable: (\$|jQuery)/

/** Names of jQuery and of its look-alike on a page. */
type Page = Window & { jQuery?: unknown; Zepto?: unknown }

/**
 * Waits for the page's jQuery: until the page is read and ten seconds more. When the page is read
 * it looks once more, for a jQuery that took the first one's place.
 * @param found called once for each usable jQuery
 * @param failed called with `integration.no_jquery`, `integration.not_jquery` or
 *   `integration.jquery_too_old`
 */
export function findJQuery(
  page: Page,
  found: (jq: JQueryStatic) => void,
  failed: (fault: Fault) => void,
): void {
  const seen = new Set<unknown>()
  let deadline: number | undefined

  const look = (): void => {
    const candidate = page.jQuery || page.Zepto
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
    const isRead = page.document.readyState !== 'loading'
    if (isRead) deadline ||= Date.now() + PATIENCE
    if (!isRead || (!seen.size && Date.now() < (deadline || 0))) {
      page.addEventListener('error', hear)
      setTimeout(wait, PAUSE)
      return
    }
    page.removeEventListener('error', hear)
    if (!seen.size) failed(new Fault('integration.no_jquery'))
  }

  /** A page that calls what is not there yet: the scripts are in the wrong order. */
  function hear({ message }: ErrorEvent): void {
    if (TOO_EARLY.test(message)) tell('error', 'integration.late')
  }

  page.document.addEventListener('DOMContentLoaded', look, { once: true })
  wait()
}
