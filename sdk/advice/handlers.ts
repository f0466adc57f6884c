import { suggest } from './nearest.ts'
import type { Facts } from './tell.ts'
import { EVENT_NAMES } from './words.ts'

/** Part of jQuery's internal data: the handlers of each kind of event, with their namespaces. */
interface Handlers {
  _data?(
    element: unknown,
    name: 'events',
  ): Readonly<Record<string, readonly { namespace: string }[]>> | undefined
}

/** Names of the library's events, and names that are often confused with them. */
const OURS = /^(payment|mpi|card|mondido)\b|^(success|fail)$/

/**
 * Finds handlers on the form and around it that never run, for example of `payment.success`, which
 * jQuery reads as an event `payment`. Handlers of a jQuery without a global name, and native
 * handlers, are not visible.
 */
export function unheardEvents(form: HTMLFormElement): Facts[] {
  const jQuery: Handlers | undefined = Reflect.get(window, 'jQuery')
  const names = new Set<string>()
  for (const element of [...around(form), document, window]) {
    for (const [type, handlers] of Object.entries(jQuery?._data?.(element, 'events') ?? {})) {
      if (!OURS.test(type) || EVENT_NAMES.includes(type)) continue
      for (const { namespace } of handlers) names.add(namespace ? `${type}.${namespace}` : type)
    }
  }
  return [...names].map((event) => ({ event, nearest: suggest(event, EVENT_NAMES) }))
}

function* around(element: Element): Iterable<Element> {
  for (let each: Element | null = element; each; each = each.parentElement) yield each
}
