import { guard } from '../log.ts'
import { createScope } from '../scope.ts'
import { isSubmitButton } from './controls.ts'

/**
 * A submit event of the browser, or one triggered through jQuery, which native listeners do not
 * receive.
 */
export type Submission = SubmitEvent | JQuery.TriggeredEvent

export const isPrevented = (event: Submission): boolean | undefined =>
  guard(() => (event instanceof Event ? event.defaultPrevented : event.isDefaultPrevented()))

/**
 * Calls back after all handlers of the submission, wherever they are bound.
 * @returns a function that cancels the call
 */
export type AtEnd = (run: () => unknown) => () => void

/** Calls back at the end of a browser's event: from the last listener on its path. */
export const endOf =
  (event: Event): AtEnd =>
  (run) => {
    const scope = createScope()
    scope.listen(event.composedPath().pop() || window, 'submit', run)
    return scope.end
  }

/**
 * Handles a submission that no handler prevents, synchronously: page scripts may prevent it
 * anywhere on its path. If a handler stops its propagation, it is handled after that handler,
 * unless it is prevented.
 * @param drop called instead of `take` if it is prevented
 */
export function whenWanted(
  event: Submission,
  atEnd: AtEnd,
  take: () => void,
  drop: () => void,
): void {
  /** @returns true if no other handler prevented it */
  const prevent = (): boolean => {
    guard(() => stopWaiting?.())
    const isDropped = isPrevented(event)
    if (isDropped) drop()
    else guard(() => event.preventDefault())
    return !isDropped
  }
  const stopWaiting = guard(() => atEnd(() => prevent() && take()))
  const onStopped = () => {
    if (!prevent()) return
    let isWanted = true
    event.preventDefault = () => {
      isWanted = false
    }
    Promise.resolve().then(() => (isWanted ? take() : drop()))
  }
  if (!stopWaiting) onStopped()
  for (const name of ['stopPropagation', 'stopImmediatePropagation'] as const) {
    const stop = event[name]
    event[name] = () => {
      stop.call(event)
      onStopped()
    }
  }
  if (event instanceof Event ? event.cancelBubble : event.isPropagationStopped()) onStopped()
}

/**
 * Returns the submit button; null for a triggered event. In browsers that do not report it, it has
 * the focus.
 */
export function submitterOf(event: Submission): HTMLElement | null {
  if (!(event instanceof Event)) return null
  const { submitter = document.activeElement } = event as Partial<SubmitEvent>
  return isSubmitButton(submitter) ? submitter : null
}
