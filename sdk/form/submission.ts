import { isSubmitButton } from './controls.ts'

/** A submit event, the browser's or one triggered through jQuery, which no native listener hears. */
export type Submission = SubmitEvent | JQuery.TriggeredEvent

/** Whether a jQuery handler sees a browser's event, which the native listener has taken care of. */
export const isRelayed = (event: JQuery.TriggeredEvent): boolean => event.originalEvent !== undefined

export const isPrevented = (event: Submission): boolean =>
  event instanceof Event ? event.defaultPrevented : event.isDefaultPrevented()

/** The button that submitted, when it really is one; null for a triggered event. Browsers that do not tell have it
 * focused. */
export function submitterOf(event: Submission): HTMLElement | null {
  if (!(event instanceof Event)) return null
  const { submitter = document.activeElement } = event as Partial<SubmitEvent>
  return isSubmitButton(submitter) ? submitter : null
}
