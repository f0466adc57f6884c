import { receive } from '../form/accept.ts'
import { type AtEnd, endOf, type Submission } from '../form/submission.ts'
import type { Library } from '../library.ts'
import { createScope, type Scope } from '../scope.ts'
import type { MountedForm } from '../state.ts'
import type { MondidoOptions } from '../types.ts'
import { endOfTriggered, isRelayed } from './triggered.ts'

/** An element or a document whose forms are mounted. */
type Root = ParentNode & EventTarget

/** Mounts the forms inside a root that match a selector. */
export interface Delegation {
  /**
   * Mounts the matching forms: existing ones now, later ones when they are first used.
   * @throws the browser's SyntaxError for an invalid selector
   */
  start(root: Root, selector: string, options: MondidoOptions): void
  /**
   * Unmounts all forms of the root.
   * @returns true if there were any
   */
  end(root: Root): boolean
}

/**
 * Creates the delegation for one jQuery.
 * @param adopt mounts one form
 */
export function createDelegation(
  $: JQueryStatic,
  library: Library,
  adopt: (form: Element, options: MondidoOptions) => MountedForm,
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

      const take = (target: unknown): MountedForm | undefined => {
        const form = target instanceof Element ? target.closest(selector) : null
        return form ? library.find(form) || adopt(form, options) : undefined
      }
      // A form mounted just now has not received this event; receiving it twice is harmless.
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
