import { guard } from '../log.ts'
import { createScope, type Scope } from '../scope.ts'
import { isSubmitButton } from './controls.ts'

/** A submit event of the browser, or one that jQuery triggers, unseen by native listeners. */
export type Submission = SubmitEvent | JQuery.TriggeredEvent

/** Not `instanceof Event`: MooTools replaces the name. */
const isTriggered = (event: Submission): event is JQuery.TriggeredEvent =>
  'isDefaultPrevented' in event

export const isPrevented = (event: Submission): boolean | undefined =>
  guard(() => (isTriggered(event) ? event.isDefaultPrevented() : event.defaultPrevented))

/** Calls back after all handlers of an event, wherever they are bound, unless the scope ends first. */
export type AtEnd = (scope: Scope, run: () => void) => void

/** Calls back at the end of a browser's event: from the last listener on its path. */
export const findEnd =
  (event: Event): AtEnd =>
  (scope, run) =>
    scope.listen(event.composedPath().pop() || window, event.type, run)

/**
 * Takes a submission from the browser: from now on, the event looks prevented to every other script,
 * and is decided after its last handler. Handlers refuse it as they would prevent it. If a handler
 * stops the propagation, the next task decides.
 * @param decide receives true if a handler refused the submission
 */
export function takeOver(
  event: Submission,
  atEnd: AtEnd,
  decide: (isRefused: boolean) => void,
): void {
  let isRefused = false
  const refuse = (): void => {
    isRefused = true
  }
  guard(() => event.preventDefault())
  event.preventDefault = refuse
  guard(() =>
    Object.defineProperty(event, 'returnValue', {
      set: (value: unknown) => value || refuse(),
    }),
  )
  const scope = createScope()
  const end = (): void => {
    if (scope.isOver) return
    scope.end()
    decide(isRefused)
  }
  guard(() => scope.timer(0, end))
  guard(() => atEnd(scope, end))
}

/** Returns the submit button. In browsers that do not report it, it has the focus. */
export function getSubmitter(event: Submission): HTMLElement | null {
  if (isTriggered(event)) return null
  const { submitter = document.activeElement } = event as Partial<SubmitEvent>
  return isSubmitButton(submitter) ? submitter : null
}
