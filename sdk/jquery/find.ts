import { tell } from '../advice/tell.ts'
import { asFault, Fault } from '../errors/faults.ts'
import { requireJQuery } from './require.ts'

/**
 * Interval of the search for jQuery, and its duration after the page has loaded; in milliseconds.
 */
const PAUSE = 50
const PATIENCE = 10_000

/** Browsers' errors for a page that uses jQuery or the plugin too early. */
const TOO_EARLY = /mondido is not a function|\b(\$|jQuery) is not defined|variable: (\$|jQuery)/

/** Global names of jQuery and of Zepto. */
type JQueryGlobals = Window & { jQuery?: unknown; Zepto?: unknown }

/**
 * Waits for the page's jQuery until ten seconds after the page has loaded. Searches once more after
 * loading, for a jQuery that replaced the first one.
 * @param found called once for each usable jQuery
 * @param failed called with `integration.no_jquery`, `integration.not_jquery` or
 *   `integration.jquery_too_old`
 */
export function findJQuery(
  page: JQueryGlobals,
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

  /** The page uses jQuery before it is loaded: its scripts are in the wrong order. */
  function hear({ message }: ErrorEvent): void {
    if (TOO_EARLY.test(message)) tell('error', 'integration.late')
  }

  page.document.addEventListener('DOMContentLoaded', look, { once: true })
  wait()
}
