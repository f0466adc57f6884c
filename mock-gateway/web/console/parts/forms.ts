import { html, type SafeHtml } from '../../pages/html.ts'

/**
 * Renders the token that proves that a form belongs to this session (attack 47). Each posting form
 * begins with it.
 */
export const renderTokenField = ({ formToken }: { readonly formToken: string }): SafeHtml =>
  html`<input type="hidden" name="form_token" value="${formToken}">`

/** Renders a form that has only a button. @param fields hidden fields */
export const renderButtonForm = (
  session: { readonly formToken: string },
  to: string,
  text: string,
  tone: 'danger' | 'main' | null = null,
  fields: SafeHtml | null = null,
): SafeHtml => html`<form method="post" action="${to}">${renderTokenField(session)}${fields}
<button class="${tone === 'main' ? tone : `${tone ?? ''} small`.trim()}">${text}</button></form>`

export interface FormField {
  readonly label?: string | SafeHtml
  readonly help?: string | SafeHtml
  /** Default: a text on one line. */
  readonly kind?: 'number' | 'password' | 'json' | 'long' | 'source'
  readonly choices?: Readonly<Record<string, string>>
  readonly suggestions?: Readonly<Record<string, string>>
  readonly isRequired?: boolean
  /** An example value, shown while the field is empty. */
  readonly placeholder?: string
  readonly autocomplete?: string
  /** Set in the start-up configuration, and not changeable here. */
  readonly isFixed?: boolean
  /** Value of a field that is not sent. */
  readonly usual?: string
}

export type FormFields = Readonly<Record<string, FormField>>

export const labelChoices = (values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((value) => [value, value]))

/**
 * Renders a field: label, value, problem and description.
 * @param form distinguishes fields of the same name on a page
 * @param problem why the value is invalid
 */
export function renderField(
  form: string,
  name: string,
  field: FormField,
  value: string,
  problem: string | undefined,
): SafeHtml {
  const id = `${form}-${name}`.replace(/[[.]/g, '-').replace(']', '')
  const { label, help, isRequired, suggestions, isFixed } = field
  return html`<div class="field"><label for="field-${id}">${label ?? name}${
    isRequired ? html` <span class="quiet">required</span>` : null
  }</label>
${
  isFixed
    ? html`<p><code>${value}</code>
<span class="quiet">is set in the start-up configuration</span></p>`
    : renderControl(name, id, field, value, problem)
}
${suggestions && renderDatalist(`list-${id}`, suggestions)}
${problem && html`<p class="wrong" id="wrong-${id}" role="alert">${problem}</p>`}
${help && html`<p class="hint" id="help-${id}">${help}</p>`}</div>
`
}

/** Least lines of a long text, and of source code. */
const LINES = { long: 2, json: 4, source: 24 } as const

/** Most lines of a text that a field shows whole. */
const WHOLE = 16

const countLines = (kind: keyof typeof LINES, value: string): number =>
  Math.max(LINES[kind], Math.min(value.split('\n').length, WHOLE))

function renderControl(
  name: string,
  id: string,
  { kind, choices, suggestions, help, isRequired, placeholder, autocomplete }: FormField,
  value: string,
  problem: string | undefined,
): SafeHtml {
  const described = [problem && `wrong-${id}`, help && `help-${id}`].filter((each) => each)
  const names = html`id="field-${id}" name="${name}"`
  const attributes = [
    described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : null,
    problem === undefined ? null : html` aria-invalid="true"`,
    isRequired ? html` required` : null,
    kind === 'number' ? html` inputmode="numeric"` : null,
    kind === 'json' || kind === 'source' ? html` spellcheck="false"` : null,
    suggestions && html` list="list-${id}" autocomplete="off"`,
    placeholder && html` placeholder="${placeholder}"`,
    autocomplete && html` autocomplete="${autocomplete}"`,
  ]
  if (choices)
    return html`<select ${names}${attributes}>${Object.entries(choices).map(([choice, text]) =>
      renderOption(choice, text, value),
    )}</select>`
  if (kind === 'password') return html`<input type="password" ${names}${attributes}>`
  return kind === undefined || kind === 'number'
    ? html`<input ${names} value="${value}"${attributes}>`
    : html`<textarea ${names} rows="${countLines(kind, value)}"${attributes}>
${value}</textarea>`
}

/** Renders a choice. @param selected value of the field */
export function renderOption(value: string, text: string, selected: string): SafeHtml {
  const attribute = value === text ? null : html` value="${value}"`
  return html`<option${attribute}${value === selected ? html` selected` : null}>${text}</option>`
}

export const renderDatalist = (
  id: string,
  suggestions: Readonly<Record<string, string>>,
): SafeHtml =>
  html`<datalist id="${id}">${Object.entries(suggestions).map(
    ([value, text]) => html`<option value="${value}">${text}</option>`,
  )}</datalist>`

/** Renders a row of a list that opens. @param about its value or its purpose */
export const renderGroup = (
  title: string,
  about: string,
  content: SafeHtml,
  isOpen = false,
): SafeHtml =>
  html`<section class="group">${renderFolded(
    html`<b>${title}</b> <span class="quiet">${about}</span>`,
    content,
    { isOpen },
  )}</section>`

/** Renders something that is rarely wanted, behind a button or a line. */
export const renderFolded = (
  summary: string | SafeHtml,
  content: SafeHtml,
  {
    isOpen = false,
    look,
  }: { readonly isOpen?: boolean; readonly look?: 'button small' | 'button small danger' } = {},
): SafeHtml =>
  html`<details${isOpen ? html` open` : null}><summary${look && html` class="${look}"`}>${summary}</summary>
${content}</details>`
