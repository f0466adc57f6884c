import { findTypedBrand, formatExpiry, groupNumber } from '../../../../../sdk/shared/typed-card.ts'
import {
  CARD_INPUTS,
  type CardField,
  createPlainCard,
  findCardProblems,
} from '../../../../domain/card/rules.ts'
import { findPayerProblems, PAYER_FIELDS } from '../../../../domain/payer/page-fields.ts'
import { byId, rewrite, setAttribute } from './elements.ts'

/** Groups digits, shows the brand, and reports problems before the form is sent. */
export function mountCardForm(): void {
  const form = byId('mondidopayform', HTMLFormElement)
  if (!form) return
  const texts: Readonly<Record<string, string>> = JSON.parse(form.dataset.texts ?? '{}')
  // The page's own texts equal the gateway's, and are in the page's language.
  form.noValidate = true
  follow('card_number', (input, inputType) => {
    rewrite(input, groupNumber, inputType)
    showBrand(findTypedBrand(input.value)?.name)
  })
  follow('card_expiry', (input, inputType) => rewrite(input, formatExpiry, inputType))
  const problemsNow = () =>
    wrongIn(form).map(({ field, error }) => ({ field, text: texts[error] ?? error }))
  checkOnLeaving(form, problemsNow)
  form.addEventListener('submit', (event) => {
    if (tellProblems(problemsNow(), texts)) event.preventDefault()
  })
}

/** Lists the problems of payer and card, in the order of the form; a stored card has no inputs. */
function wrongIn(form: HTMLFormElement) {
  const details = Object.fromEntries(PAYER_FIELDS.map((field) => [field, typedIn(field)]))
  const fields = PAYER_FIELDS.filter((field) => document.getElementById(field))
  const typed = Object.fromEntries(CARD_INPUTS.map((field) => [field, typedIn(field)]))
  const card = findCardProblems(
    createPlainCard(typed as Record<CardField, string>),
    form.dataset.month ?? '',
  )
  const isStored = Boolean(
    form.querySelector<HTMLInputElement>('[name=stored_card]:checked')?.value,
  )
  const ofCard = card.filter(
    ({ field }) => !isStored || (field === 'card_cvv' && form.dataset.cvv === 'required'),
  )
  return [...findPayerProblems(fields, details), ...ofCard]
}

const typedIn = (field: string): string =>
  byId(field, HTMLInputElement)?.value ?? byId(field, HTMLSelectElement)?.value ?? ''

/** Calls back now and after each change, except during text composition with an input method. */
function follow(
  field: CardField,
  update: (input: HTMLInputElement, inputType?: string) => void,
): void {
  const input = byId(field, HTMLInputElement)
  if (!input) return
  for (const type of ['input', 'change', 'compositionend'])
    input.addEventListener(type, (event) => {
      const { isComposing, inputType } = event as InputEvent
      if (!isComposing) update(input, inputType)
    })
  update(input)
}

/** Dims the logos of other brands, and sets the texts for screen readers. */
function showBrand(brand: string | undefined): void {
  const marks = document.querySelector<HTMLElement>('.marks')
  let seen: HTMLElement | undefined
  for (const mark of document.querySelectorAll<HTMLElement>('[data-types]')) {
    const isSeen = brand !== undefined && (mark.dataset.types ?? '').split(' ').includes(brand)
    mark.classList.toggle('seen', isSeen)
    if (isSeen) seen = mark
  }
  marks?.classList.toggle('chosen', seen !== undefined)
  say('brand', seen?.dataset.said ?? '')
  say('card_cvv_hint', (seen ?? marks)?.dataset.code ?? '')
}

/** Changes a text only if it differs, because screen readers announce changes. */
function say(id: string, text: string): void {
  const place = byId(id, HTMLParagraphElement)
  if (place && place.textContent !== text) place.textContent = text
}

/** A problem, in the page's texts. */
interface FieldProblem {
  /** The id of its input. */
  readonly field: string
  readonly text: string
}

/**
 * Shows problems above the form and at each field, like the gateway's own page.
 * @returns true if there are any
 */
function tellProblems(
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
  const describing = [text === undefined ? null : problem, document.getElementById(`${field}_hint`)]
  const ids = describing.flatMap((element) => element?.id ?? []).join(' ')
  setAttribute(input, 'aria-describedby', ids)
  setAttribute(input, 'aria-invalid', text === undefined ? '' : 'true')
}

/**
 * Shows a field's problem after the payer has left the field, and removes it when it is fixed.
 * Nothing moves while a mouse button is down, so that a click does not miss its button.
 */
function checkOnLeaving(form: HTMLFormElement, problemsNow: () => readonly FieldProblem[]): void {
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
