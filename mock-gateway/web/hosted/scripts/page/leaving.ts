import { type FieldProblem, tellAtField } from './problems.ts'

/**
 * Shows a field's problem after the payer has left the field, and removes it when it is fixed.
 * Nothing moves while a mouse button is down, so that a click does not miss its button.
 */
export function checkOnLeaving(
  form: HTMLFormElement,
  problemsNow: () => readonly FieldProblem[],
): void {
  const check = (field: string, isLeft: boolean) => {
    const place = document.getElementById(`${field}_problem`)
    const problem = problemsNow().find((each) => each.field === field)?.text
    if (place && (problem === undefined || isLeft)) tellAtField(field, place, problem)
  }
  let isPressed = false
  let waiting = new Set<string>()
  const tellWaiting = () => {
    for (const field of waiting) check(field, true)
    waiting = new Set()
  }
  addEventListener('pointerdown', () => {
    isPressed = true
  })
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, () => {
      isPressed = false
      // The click event follows this event.
      setTimeout(tellWaiting)
    })
  form.addEventListener('focusout', ({ target }) => {
    if (!isTyped(target)) return
    waiting.add(target.id)
    if (!isPressed) tellWaiting()
  })
  form.addEventListener('input', ({ target }) => {
    if (isField(target)) check(target.id, false)
  })
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

const isTyped = (target: EventTarget | null): target is HTMLInputElement | HTMLSelectElement =>
  isField(target) && target.value !== ''
