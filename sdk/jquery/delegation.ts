import { receive } from '../form/accept.ts'
import type { Library } from '../library.ts'
import { createScope, type Scope } from '../scope.ts'
import type { MountedForm } from '../state.ts'
import type { MondidoOptions } from '../types.ts'
import { endOfTriggered, isRelayed } from './triggered.ts'

/** An element or a document whose forms are mounted. */
type Root = ParentNode & EventTarget

/** Mounts the forms inside a root that match a selector. */
export type Delegation = ReturnType<typeof createDelegation>

/**
 * Creates the delegation for one jQuery.
 * @param adopt mounts one form
 */
export function createDelegation(
  $: JQueryStatic,
  library: Library,
  adopt: (form: Element, options: MondidoOptions) => MountedForm,
) {
  const roots = new WeakMap<Root, Map<string, Scope>>()
  return {
    /**
     * Mounts the matching forms: existing ones now, later ones when they are first used.
     * @throws the browser's SyntaxError for an invalid selector
     */
    start(root: Root, selector: string, options: MondidoOptions): void {
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
      // A form that is mounted during a triggered event has not received it.
      const onTriggered = (event: JQuery.TriggeredEvent) => {
        const mounted = !isRelayed(event) && take(event.target)
        if (mounted) receive(mounted, event, endOfTriggered($))
      }
      const $root = $(root as HTMLElement)
      // Before the form: its own listener receives this event.
      for (const type of ['submit', 'focusin'])
        scope.listen(root, type, (event) => void take(event.target), true)
      $root.on('submit.mondido', onTriggered)
      scope.add(() => $root.off('submit.mondido', onTriggered))
      for (const form of there) adopt(form, options)
    },
    /**
     * Unmounts all forms of the root.
     * @returns true if there were any
     */
    end(root: Root): boolean {
      const selectors = roots.get(root)
      for (const [selector, scope] of selectors || []) {
        scope.end()
        for (const form of root.querySelectorAll(selector)) library.find(form)?.controller.destroy()
      }
      return roots.delete(root)
    },
  }
}
