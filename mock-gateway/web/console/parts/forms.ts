import { html, type SafeHtml } from '../../pages/html.ts'
import type { FormField } from './form-errors.ts'
import { type ConsoleProblem, problemBox } from './problem.ts'

/**
 * Renders the token that proves that a form belongs to this session (attack 47). Each posting form
 * begins with it.
 */
export const tokenField = ({ formToken }: { readonly formToken: string }): SafeHtml =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

/** Renders a form that has only a button. */
export const buttonForm = (
  session: { readonly formToken: string },
  to: string,
  text: string,
  tone: 'danger' | null = null,
): SafeHtml => html`<form method="post" action="${to}">${tokenField(session)}
<button class="small${tone && ` ${tone}`}">${text}</button></form>`

/** Renders a field: label, value, problem and description. */
export function fieldView(field: FormField): SafeHtml {
  const { name, label, help, problem, isRequired, choices, kind } = field
  const id = name.replaceAll('[', '-').replaceAll(']', '')
  const choosesSome = choices.length > 0 && kind === 'line'
  const required = isRequired ? html` <span class="quiet">required</span>` : null
  const allowed = choosesSome ? ` One or more of ${choices.join(', ')}.` : null
  return html`<div class="field"><label for="field-${id}">${label}${required}</label>
${
  field.isFixed
    ? html`<p><code>${field.value}</code>
<span class="quiet">is set in the start-up configuration</span></p>`
    : controlOf(field, id)
}
${problem && html`<p class="wrong" id="wrong-${id}" role="alert">${problem}</p>`}
${help && html`<p class="hint" id="help-${id}">${help}${allowed}</p>`}</div>
`
}

/** Least lines of a long text, and of source code. */
const LINES = { long: 2, json: 4, source: 24 } as const

/** Most lines of a text that a field shows whole. */
const WHOLE = 16

const linesOf = (kind: keyof typeof LINES, value: string): number =>
  Math.max(LINES[kind], Math.min(value.split('\n').length, WHOLE))

function controlOf(
  { name, value, kind, choices, words, list, help, problem, isRequired, placeholder }: FormField,
  id: string,
): SafeHtml {
  const described = [
    problem === null ? [] : `wrong-${id}`,
    help === null ? [] : `help-${id}`,
  ].flat()
  const names = html`id="field-${id}" name="${name}"`
  const states = [
    described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : null,
    problem === null ? null : html` aria-invalid="true"`,
    isRequired ? html` required` : null,
  ]
  const typing = [
    kind === 'number' ? html` inputmode="numeric"` : null,
    kind === 'json' || kind === 'source' ? html` spellcheck="false"` : null,
    list && html` list="${list}" autocomplete="off"`,
  ]
  switch (kind) {
    case 'choice':
      return html`<select ${names}${states}>
${words.map(({ choice, text }) => option(choice, text, value))}
${choices.map((choice) => option(choice, choice, value))}</select>`
    case 'long':
    case 'json':
    case 'source':
      return html`<textarea ${names} rows="${linesOf(kind, value)}"${typing}${states}>
${value}</textarea>`
    default:
      return html`<input ${names} value="${value}"${placeholder && html` placeholder="${placeholder}"`}${typing}${states}>`
  }
}

/** Renders a choice. @param selected value of the field */
export function option(value: string, text: string, selected: string): SafeHtml {
  const attribute = value === text ? null : html` value="${value}"`
  return html`<option${attribute}${value === selected ? html` selected` : null}>${text}</option>`
}

/** A form of fields. */
interface FieldForm {
  readonly formToken: string
  /** Address it is sent to. */
  readonly to: string
  /** Error of a rejected form, unless a field shows it. */
  readonly problem: ConsoleProblem | null
  readonly fields: readonly FormField[]
  readonly button: string
  /** Content after its button. */
  readonly after?: SafeHtml | null
}

/** Renders fields. The rare ones are folded, unless one has a problem or another value than usual. */
export function fieldViews(fields: readonly FormField[]): SafeHtml {
  const rare = fields.filter(({ usual }) => usual !== null)
  const isOpen = rare.some(
    ({ usual, value, problem }) => problem !== null || (value !== '' && value !== usual),
  )
  return html`${fields.filter(({ usual }) => usual === null).map(fieldView)}${
    rare.length > 0
      ? html`<details${isOpen ? html` open` : null}>
<summary>More fields <span class="quiet">${rare.length}</span></summary>
<div class="fields">${rare.map(fieldView)}</div></details>
`
      : null
  }`
}

/** Renders a form of fields, with its problem above. */
export const formView = (form: FieldForm): SafeHtml => html`${problemBox(form.problem)}
<form class="fields" method="post" action="${form.to}">${tokenField(form)}
${fieldViews(form.fields)}<p class="presets"><button>${form.button}</button> ${form.after}</p>
</form>`

/** Renders a form that creates something, behind a button. @param isOpen it has an error or values */
export const foldedForm = (title: string, form: SafeHtml, isOpen: boolean): SafeHtml =>
  html`<details class="create"${isOpen ? html` open` : null}><summary>${title}</summary>
${form}</details>`

/** Renders the suggestions of a field. */
export const datalist = (
  id: string,
  choices: readonly (readonly [value: string, text: string])[],
): SafeHtml =>
  html`<datalist id="${id}">${choices.map(
    ([value, text]) => html`<option value="${value}">${text}</option>`,
  )}</datalist>`
