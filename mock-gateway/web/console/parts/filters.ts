import { isObject } from '../../../domain/json.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
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

/** Converts the fields of a date to one filter: a period that was chosen, else the two days. */
export function readDays(value: Parameters[string]): Parameters[string] {
  if (!isObject(value)) return value
  const [period, shown, from, to] = ['period', 'shown', 'from', 'to'].map(
    (name) => text(value, name) ?? '',
  )
  return period === shown ? rangeOfDays(from ?? '', to ?? '') : (period ?? '')
}

/** Converts the filter of a date to its first and last day. */
function daysIn(range: string): readonly [from: string, to: string] {
  const [from = '', to = from] = range
    .split('..')
    .map((day) => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
  return [from, to]
}

function daysText(range: string): string {
  const [from, to] = daysIn(range).map((day) =>
    Number.isNaN(Date.parse(day)) ? day : formatDay(day),
  )
  if (from === to || !to) return from === to ? (to ?? '') : `From ${from}`
  return from ? `${from} to ${to}` : `Until ${to}`
}

/**
 * Renders the filters of a list: the first field and the period are in view, the others are under
 * "More".
 * @param list address of the list without filters
 * @param now epoch milliseconds
 */
export function filterForm(
  filters: readonly Filter[],
  { sent, list, now }: { readonly sent: Sent; readonly list: string; readonly now: number },
  problem: ConsoleProblem | null,
): SafeHtml {
  const [first, ...others] = filters.map((filter) => filterField(filter, sent[filter.name] ?? ''))
  const dates = filters.find(({ isDate }) => isDate)
  const hidden = Object.keys(sent).filter(
    (name) => name !== filters[0]?.name && name !== dates?.name,
  )
  const all = html`<span class="quiet">${hidden.map((name) => `${nameFilter(name)}: ${sent[name]}`).join(', ')}</span>
<a href="${list}">Show all</a>`
  const shown = Object.keys(sent).length > 0 ? all : null
  if (!first)
    return html`${renderProblemBox(problem)}${shown && html`<p class="filter">${shown}</p>`}`
  const more = html`<details class="more"${problem && html` open`}><summary>More</summary>
<div class="row filters">${others}</div></details>`
  return html`${renderProblemBox(problem)}
<form class="row filter" method="get" aria-label="Filter">
${first}${dates && renderPeriods(dates.name, sent[dates.name] ?? '', now)}
<button class="small">Search</button>${others.length > 0 ? more : null}${shown}</form>`
}

const nameFilter = (name: string) => formatLabel(name.replace(/^filter\[(.*)\]$/, '$1'))

/** Renders the choice of a period, which has its two days under "More". */
function renderPeriods(name: string, value: string, now: number): SafeHtml {
  const day = (before: number) =>
    new Date(now - before * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  const known = new Map([
    ['', 'Any time'],
    [day(0), 'Today'],
    [day(1), 'Yesterday'],
    [`${day(6)}..`, 'Last 7 days'],
  ])
  const periods = known.has(value) ? known : known.set(value, daysText(value))
  return html`<label><span>Period</span> <select name="${name}[period]">${[...periods].map(
    ([period, text]) => renderOption(period, text, value),
  )}</select></label>
<input type="hidden" name="${name}[shown]" value="${value}">`
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
