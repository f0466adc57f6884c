import { tell } from '../advice/tell.ts'
import { asFault, Fault } from '../errors/faults.ts'

/** Oldest supported jQuery. */
const OLDEST = '1.11'

/**
 * Checks that a value is a supported jQuery.
 * @throws Fault `integration.not_jquery` for Zepto and other libraries with its name,
 *   `integration.jquery_too_old`
 */
export function requireJQuery(candidate: unknown): asserts candidate is JQueryStatic {
  const version = (candidate as Partial<JQueryStatic> | undefined)?.fn?.jquery
  if (typeof version !== 'string') {
    throw new Fault('integration.not_jquery')
  }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major + minor / 100 < Number(OLDEST)) {
    throw new Fault('integration.jquery_too_old', { facts: { version, oldest: OLDEST } })
  }
}

/** Interval of the search for jQuery in milliseconds, and its rounds after the page was read. */
const PAUSE = 50
const ROUNDS = 200

/** Browsers' errors for a page that uses jQuery or the plugin too early. */
const TOO_EARLY = /(mondido|\$|jQuery) is not|variable: (\$|jQuery)/

/** Global names of jQuery and of Zepto. */
type JQueryGlobals = Window & { jQuery?: unknown; Zepto?: unknown }

/**
 * Waits for the page's jQuery until ten seconds after the page has loaded. Searches again after each
 * script that is loaded, at any time, for a jQuery that replaced the first one.
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
  let rounds = 0

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
    if (!isRead || (!seen.size && rounds++ < ROUNDS)) {
      page.addEventListener('error', onError)
      setTimeout(wait, PAUSE)
      return
    }
    page.removeEventListener('error', onError)
    if (!seen.size) failed(new Fault('integration.no_jquery'))
  }

  /** The page uses jQuery before it is loaded: its scripts are in the wrong order. */
  function onError({ message }: ErrorEvent): void {
    if (TOO_EARLY.test(message)) tell('error', 'integration.late')
  }

  // A script that loaded another jQuery fires `load` before any other script runs.
  for (const type of ['DOMContentLoaded', 'load']) page.document.addEventListener(type, look, true)
  wait()
}
