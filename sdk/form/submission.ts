import { guard } from '../log.ts'
import { createScope } from '../scope.ts'
import { isSubmitButton } from './controls.ts'

/**
 * A submit event, the browser's or one triggered through jQuery, which no native listener hears.
 */
export type Submission = SubmitEvent | JQuery.TriggeredEvent

export const isPrevented = (event: Submission): boolean | undefined =>
  guard(() => (event instanceof Event ? event.defaultPrevented : event.isDefaultPrevented()))

/**
 * Calls once the submission was heard by everybody: bound before or after us, at the form or around
 * it.
 * @returns stops waiting
 */
export type AtEnd = (run: () => unknown) => () => void

/** The end of a browser's event: the last listener at the end of its way. */
export const endOf =
  (event: Event): AtEnd =>
  (run) => {
    const heard = createScope()
    heard.listen(event.composedPath().pop() || window, 'submit', run)
    return heard.end
  }

/**
 * Takes a submission over that nobody prevents, in the stack of its event: page scripts may prevent
 * it at any place of its way. One that is stopped on its way is taken over when the handler that
 * did it is done, unless that prevents it.
 * @param drop called in place of `take` when somebody prevents it
 */
export function whenWanted(
  event: Submission,
  atEnd: AtEnd,
  take: () => void,
  drop: () => void,
): void {
  /** @returns whether nobody else prevented it */
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
 * The button that submitted, when it really is one; null for a triggered event. Browsers that do
 * not tell have it focused.
 */
export function submitterOf(event: Submission): HTMLElement | null {
  if (!(event instanceof Event)) return null
  const { submitter = document.activeElement } = event as Partial<SubmitEvent>
  return isSubmitButton(submitter) ? submitter : null
}
