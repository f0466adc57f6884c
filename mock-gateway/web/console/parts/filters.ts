import { isObject } from '../../../domain/json.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { renderOption } from './forms.ts'
import { type ConsoleProblem, renderProblemBox } from './problem.ts'

export interface Filter {
  /** Name in the address, such as `filter[status]`. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly choices?: readonly string[]
  /** The value is a range of days. */
  readonly isDate?: boolean
}

/** A filter that one press sets or removes. */
export interface Chip {
  readonly text: string
  readonly name: string
  /** @param day returns `YYYYMMDD` of a day before today */
  readonly value: string | ((day: (before: number) => string) => string)
}

/** Values of the filters in an address, by name; never empty. */
export type Sent = Readonly<Record<string, string>>

export const sentIn = (parameters: Parameters, names: readonly string[]): Sent =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = text(parameters, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Builds an address without empty filters. */
export function getAddress(list: string, filters: Sent): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  return query.size === 0 ? list : `${list}?${query}`
}

/** Turns `payment_ref` into a label. */
export const formatLabel = (field: string) =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`

/** Converts days `YYYY-MM-DD` to a filter; an empty one is open. */
export const rangeOfDays = (from: string, to: string): string =>
  [...new Set([from, to])].join('..').replaceAll('-', '')

/** Converts the two fields of a date to one filter. */
export const readDays = (value: Parameters[string]): Parameters[string] =>
  isObject(value) ? rangeOfDays(text(value, 'from') ?? '', text(value, 'to') ?? '') : value

/** Converts the filter of a date to its first and last day. */
function daysIn(range: string): readonly [from: string, to: string] {
  const [from = '', to = from] = range
    .split('..')
    .map((day) => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
  return [from, to]
}

function daysText(range: string): string {
  const [from, to] = daysIn(range)
  return from === to ? from : [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ')
}

/**
 * Renders the filters of a list: the first field is in view, the others are under "More" unless one
 * is set.
 * @param list address of the list without filters
 * @param chips filters that one press sets or removes
 */
export function filterForm(
  filters: readonly Filter[],
  sent: Sent,
  list: string,
  problem: ConsoleProblem | null,
  chips: SafeHtml | null,
): SafeHtml {
  const [first, ...others] = filters.map((filter) => filterField(filter, sent[filter.name] ?? ''))
  if (!first) return html`${renderProblemBox(problem)}${chips}`
  const isOpen = problem !== null || filters.slice(1).some(({ name }) => name in sent)
  const more = html`<details${isOpen ? html` open` : null}><summary>More</summary>
<div class="row filters">${others}</div></details>
`
  const isSet = Object.keys(sent).length > 0
  return html`${renderProblemBox(problem)}
<form class="row filter" method="get" aria-label="Filter">
${first}<button class="small">Search</button>${isSet ? html` <a href="${list}">Show all</a>` : null}${others.length > 0 ? more : null}${chips}
</form>`
}

/** Renders the field of a filter; a date has two, for its first and last day. */
export function filterField(filter: Filter, value: string): SafeHtml {
  const { name, label, hint, choices = [] } = filter
  if (filter.isDate) {
    const [from, to] = daysIn(value)
    return html`<label><span>From (UTC)</span> <input type="date" name="${name}[from]" value="${from}"></label>
<label><span>To (UTC)</span> <input type="date" name="${name}[to]" value="${to}"></label>
`
  }
  return html`<label><span>${label}</span> ${
    choices.length > 0
      ? html`<select name="${name}"><option value="">any</option>
${choices.map((choice) => renderOption(choice, choice, value))}</select>`
      : html`<input name="${name}" value="${value}"${hint && html` placeholder="${hint}"`}>`
  }</label>
`
}

/**
 * Renders the filters that are set, each with the link that removes it, and those that one press
 * sets.
 * @param now epoch milliseconds
 */
export function renderChipList(
  { filters, chips }: { readonly filters: readonly Filter[]; readonly chips: readonly Chip[] },
  sent: Sent,
  list: string,
  now: number,
): SafeHtml | null {
  const day = (before: number) =>
    new Date(now - before * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const proposed = chips.map(({ value, ...chip }) => ({
    ...chip,
    value: typeof value === 'string' ? value : value(day),
  }))
  const chosen = Object.entries(sent).map(([name, value]) => {
    const chip = proposed.find((each) => each.name === name && value === 'true')
    const { label = formatLabel(name.replace(/^filter\[(.*)\]$/, '$1')), isDate } =
      filters.find((filter) => filter.name === name) ?? {}
    const text = chip?.text ?? `${label}: ${isDate ? daysText(value) : value}`
    return html`<li>
<a href="${getAddress(list, { ...sent, [name]: '' })}" class="set" aria-label="Without ${text}">${text}</a></li>`
  })
  const others = proposed
    .filter(({ name, value }) => sent[name] !== value)
    .map(
      ({ text, name, value }) => html`<li>
<a href="${getAddress(list, { ...sent, [name]: value })}">${text}</a></li>`,
    )
  return chosen.length + others.length === 0
    ? null
    : html`<ul class="choice" aria-label="Filters">${[...chosen, ...others]}</ul>`
}
