import { Fault } from '../errors/faults.ts'

/** Oldest supported jQuery. */
const OLDEST = [1, 11] as const

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
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    throw new Fault('integration.jquery_too_old', { facts: { version, oldest: OLDEST.join('.') } })
  }
}
