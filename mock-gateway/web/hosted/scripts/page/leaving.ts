import { type FieldProblem, tellAtField } from './problems.ts'

/**
 * Tells what is wrong with a field once the payer has typed there and left it, and takes that back
 * as soon as it is right. While a button of a mouse is down nothing moves: what the payer is about
 * to press would not be where it was.
 */
export function checkOnLeaving(
  form: HTMLFormElement,
  problemsNow: () => readonly FieldProblem[],
): void {
  const look = (field: string, isLeft: boolean) => {
    const place = document.getElementById(`${field}_problem`)
    const problem = problemsNow().find((each) => each.field === field)?.text
    if (place && (problem === undefined || isLeft)) tellAtField(field, place, problem)
  }
  let isPressed = false
  let waiting = new Set<string>()
  const tellWaiting = () => {
    for (const field of waiting) look(field, true)
    waiting = new Set()
  }
  addEventListener('pointerdown', () => {
    isPressed = true
  })
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, () => {
      isPressed = false
      // The click comes after it.
      setTimeout(tellWaiting)
    })
  form.addEventListener('focusout', ({ target }) => {
    if (!isTyped(target)) return
    waiting.add(target.id)
    if (!isPressed) tellWaiting()
  })
  form.addEventListener('input', ({ target }) => {
    if (isField(target)) look(target.id, false)
  })
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement

const isTyped = (target: EventTarget | null): target is HTMLInputElement | HTMLSelectElement =>
  isField(target) && target.value !== ''
