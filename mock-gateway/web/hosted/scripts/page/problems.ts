import { byId } from './elements.ts'

/** A problem, in the page's texts. */
export interface FieldProblem {
  /** The id of its input. */
  readonly field: string
  readonly text: string
}

/**
 * Shows problems above the form and at each field, like the gateway's own page.
 * @returns true if there are any
 */
export function tellProblems(
  problems: readonly FieldProblem[],
  texts: Readonly<Record<string, string>>,
): boolean {
  for (const place of document.querySelectorAll<HTMLElement>('.field > .wrong')) {
    const field = place.id.replace(/_problem$/, '')
    tellAtField(field, place, problems.find((each) => each.field === field)?.text)
  }
  const summary = byId('problems', HTMLDivElement)
  if (!summary) return problems.length > 0
  summary.hidden = problems.length === 0
  summary.removeAttribute('data-error')
  for (const quiet of summary.querySelectorAll('.quiet')) quiet.remove()
  const heading = summary.querySelector('h2')
  if (heading) heading.textContent = texts.problem_form ?? ''
  summary.querySelector('ul')?.replaceChildren(...problems.map(getItem))
  const prefix = `${texts.error_prefix} `
  const title = document.title.startsWith(prefix)
    ? document.title.slice(prefix.length)
    : document.title
  document.title = problems.length > 0 ? prefix + title : title
  if (problems.length === 0) return false
  summary.setAttribute('role', 'alert')
  summary.focus()
  return true
}

function getItem({ field, text }: FieldProblem): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `#${field}`
  const label =
    byId(field, HTMLInputElement)?.labels?.[0] ?? byId(field, HTMLSelectElement)?.labels[0]
  link.append(part('named', label?.textContent ?? text), part('told', text))
  item.append(link)
  return item
}

function part(className: string, text: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = className
  span.textContent = text
  return span
}

/** Shows a field's problem; without a text, removes it. */
function tellAtField(field: string, problem: HTMLElement, text: string | undefined): void {
  const input = document.getElementById(field)
  if (!input) return
  problem.textContent = text ?? ''
  problem.hidden = text === undefined
  const described = [
    text === undefined ? '' : problem.id,
    document.getElementById(`${field}_hint`)?.id ?? '',
  ]
  const ids = described.join(' ').trim()
  if (ids === '') input.removeAttribute('aria-describedby')
  else input.setAttribute('aria-describedby', ids)
  if (text === undefined) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
}

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
