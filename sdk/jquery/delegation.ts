import { receive } from '../form/accept.ts'
import { type AtEnd, endOf, type Submission } from '../form/submission.ts'
import type { Library } from '../library.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Mounted } from '../state.ts'
import type { MondidoOptions } from '../types.ts'
import { endOfTriggered, isRelayed } from './triggered.ts'

/** An element or a document whose forms are taken over. */
type Root = ParentNode & EventTarget

/** Forms inside a root, taken over by selector. */
export interface Delegation {
  /** Takes over the matching forms: those there, and later ones when they are first used.
   * @throws the browser's SyntaxError for what is no selector */
  start(root: Root, selector: string, options: MondidoOptions): void
  /** Gives all forms of the root back.
   * @returns whether there was anything to end */
  end(root: Root): boolean
}

/** Delegation through one jQuery.
 * @param adopt takes one form over */
export function createDelegation(
  $: JQueryStatic,
  library: Library,
  adopt: (form: Element, options: MondidoOptions) => Mounted,
): Delegation {
  const roots = new WeakMap<Root, Map<string, Scope>>()
  return {
    start(root, selector, options) {
      const there = root.querySelectorAll(selector)
      const selectors = roots.get(root) || new Map<string, Scope>()
      roots.set(root, selectors)
      selectors.get(selector)?.end()
      const scope = createScope()
      selectors.set(selector, scope)

      const take = (target: unknown): Mounted | undefined => {
        const form = target instanceof Element ? target.closest(selector) : null
        return form ? library.find(form) || adopt(form, options) : undefined
      }
      // A form taken over just now has not heard this event itself; hearing it twice is harmless.
      const hear = (event: Submission, atEnd: AtEnd) => {
        const mounted = event.target instanceof HTMLFormElement && take(event.target)
        if (mounted) receive(mounted, event, atEnd)
      }
      const onTriggered = (event: JQuery.TriggeredEvent) => {
        if (!isRelayed(event)) hear(event, endOfTriggered($))
      }
      const $root = $(root as HTMLElement)
      scope.listen(root, 'submit', (event) => hear(event as SubmitEvent, endOf(event)))
      scope.listen(root, 'focusin', (event) => void take(event.target))
      $root.on('submit.mondido', onTriggered)
      scope.add(() => $root.off('submit.mondido', onTriggered))
      for (const form of there) adopt(form, options)
    },
    end(root) {
      const selectors = roots.get(root)
      for (const [selector, scope] of selectors || []) {
        scope.end()
        for (const form of root.querySelectorAll(selector)) library.find(form)?.controller.destroy()
      }
      return roots.delete(root)
    },
  }
}
