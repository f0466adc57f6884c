import { html, type SafeHtml } from '../../pages/html.ts'
import { option } from './forms.ts'
import { type ConsoleProblem, problemBox } from './problem.ts'

/** A field to filter a list by. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly value: string
  /** An example value. */
  readonly hint: string
  /** Allowed values, if there are few. */
  readonly choices: readonly string[]
  /** The value is a day `YYYY-MM-DD`. */
  readonly isDay?: true
}

/**
 * Renders the filters of a list: the first field is in view, the others are under "More" unless one
 * is set.
 * @param clear address of the list without filters, when some are set
 */
export function filterForm(
  [first, ...others]: readonly Filter[],
  clear: string | null,
  problem: ConsoleProblem | null = null,
): SafeHtml {
  const isOpen = problem !== null || others.some(({ value }) => value !== '')
  return html`${problemBox(problem)}
<form class="filter" method="get" aria-label="Filter">
${first && fieldOf(first)}
${
  others.length > 0
    ? html`<details${isOpen ? html` open` : null}><summary>More</summary>
<div class="filters">${others.map(fieldOf)}</div></details>
`
    : null
}<button class="small">Search</button>${clear && html` <a href="${clear}">Show all</a>`}
</form>`
}

const fieldOf = ({ name, label, value, hint, choices, isDay }: Filter): SafeHtml =>
  html`<label><span>${label}</span> ${
    choices.length > 0
      ? html`<select name="${name}"><option value="">any</option>
${choices.map((choice) => option(choice, choice, value))}</select>`
      : html`<input${isDay && html` type="date"`} name="${name}" value="${value}"${hint && html` placeholder="${hint}"`}>`
  }</label>
`

/** A filter that one press sets or removes. */
export interface Chip {
  readonly text: string
  readonly to: string
  readonly isSet: boolean
}

export const chipList = (chips: readonly Chip[]): SafeHtml | null =>
  chips.length === 0
    ? null
    : html`<ul class="chips" aria-label="Filters">${chips.map(
        ({ text, to, isSet }) => html`<li>
<a href="${to}"${isSet ? html` class="set" aria-label="Without ${text}"` : null}>${text}</a></li>`,
      )}</ul>`

/** Renders the links to newer and older rows. */
export const pager = ({
  before,
  after,
}: {
  readonly before: string | null
  readonly after: string | null
}): SafeHtml | null =>
  before === null && after === null
    ? null
    : html`<nav class="pages" aria-label="Pages">
${before && html`<a href="${before}" rel="prev">Newer</a>`}
${after && html`<a href="${after}" rel="next">Older</a>`}</nav>`
