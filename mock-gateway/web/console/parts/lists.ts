import { isObject, type JsonValue } from '../../../domain/json.ts'
import { readListing } from '../../../parsing/listing.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { LISTED_FIELDS, readPage, type Scope } from '../../../storage/list.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  type ConsoleFile,
  type ConsolePage,
  type ConsoleView,
  type MerchantVisit,
  viewingOf,
} from '../visit.ts'
import type { Cell } from './cells.ts'
import { csv } from './csv.ts'
import { chipList, type Filter, filterForm, pager } from './filters.ts'
import { type ConsoleProblem, redisplayOnError } from './form-errors.ts'
import { emptyState } from './problem.ts'
import { RESOURCE_NAMES, RESOURCES, type ResourceName, type Wire } from './resources.ts'
import { type Table, table as tableHtml } from './table.ts'

/** Rows on a page. */
export const ROWS = 25

/** Maximum rows of a file; the API returns more. */
const FILE_ROWS = 1000

/** The list of each resource, as a page and as a file. */
export const LIST_PAGES: readonly ConsolePage<MerchantVisit>[] = RESOURCE_NAMES.flatMap((name) => [
  { path: `/${name}`, section: name, show: (visit) => list(visit, name) },
  { path: `/${name}.csv`, section: name, show: (visit) => listAsFile(visit, name) },
])

const list = (visit: MerchantVisit, name: ResourceName): Promise<ConsoleView> =>
  redisplayOnError(
    visit,
    async () => {
      const { parameters } = visit
      const found = await rowsOf(visit, name, { ...parameters, limit: ROWS })
      const { db } = visit.dependencies.database
      return {
        ...listPage(visit, name, null, rowsView(visit, name, found)),
        counts: (await RESOURCES[name].count?.(db, visit.merchant.id)) ?? {},
        // No live updates further down: rows would move away from the reader.
        live: found.offset === 0 ? ['transactions', 'data'] : undefined,
      }
    },
    async (problem) => listPage(visit, name, problem, null),
  )

/** Builds the page of a list: its filters, and its rows or the error of a filter. */
function listPage(
  visit: MerchantVisit,
  name: ResourceName,
  problem: ConsoleProblem | null,
  rows: SafeHtml | null,
): ConsoleView {
  const { parameters, home } = visit
  const { one, filters, chips, hasForms } = RESOURCES[name]
  const { now } = exchangeOf(visit.response)
  const sent = filtersIn(parameters, name)
  const clear = Object.keys(sent).length > 0 ? `${home}/${name}` : null
  const chosen = Object.entries(sent).map(([field, value]) => {
    const column = field.replace(/^filter\[(.*)\]$/, '$1')
    return {
      text: `${labelOf(column)}: ${isDate(name, column) ? daysText(value) : value}`,
      to: addressOf(`${home}/${name}`, { ...sent, [field]: '' }),
      isSet: true,
    }
  })
  const proposed = chips
    .map(({ text, field, value }) => ({
      text,
      field: `filter[${field}]`,
      value: value((before) => dayOf(now, before)),
    }))
    .filter(({ field, value }) => sent[field] !== value)
    .map(({ text, field, value }) => ({
      text,
      to: addressOf(`${home}/${name}`, { ...sent, [field]: value }),
      isSet: false,
    }))
  return {
    title: titleOf(name),
    actions: html`<a class="button" href="${home}/${name}.csv?${String(new URLSearchParams(sent))}"
  title="The first ${FILE_ROWS} rows">Export</a>
${hasForms ? html`<a class="button main" href="${home}/${name}/new">New ${one}</a>` : null}`,
    body: html`${filterForm(
      Object.entries(filters).flatMap(([field, choices]) =>
        filtersOf(name, field, choices, sent[`filter[${field}]`] ?? ''),
      ),
      clear,
      problem,
    )}
${chipList([...chosen, ...proposed])}
${rows}`,
  }
}

/** Builds the filter of a field; a date has two, for its first and last day. */
function filtersOf(
  name: ResourceName,
  field: string,
  choices: readonly string[],
  value: string,
): readonly Filter[] {
  const filter = { name: `filter[${field}]`, label: labelOf(field), value, hint: '', choices }
  if (!isDate(name, field)) return [{ ...filter, hint: hintOf(name, field) }]
  const [from, to] = daysIn(value)
  return [
    { ...filter, name: `${filter.name}[from]`, label: 'From (UTC)', value: from, isDay: true },
    { ...filter, name: `${filter.name}[to]`, label: 'To (UTC)', value: to, isDay: true },
  ]
}

/** Example values of filters: a range, or any text after a star. */
const hintOf = (name: ResourceName, field: string): string =>
  LISTED_FIELDS[name][field] === 'decimal'
    ? '10..20'
    : /ref$|name$|reason/.test(field)
      ? `${labelOf(field)}, such as A*`
      : ''

const isDate = (name: ResourceName, field: string): boolean => LISTED_FIELDS[name][field] === 'date'

/** Converts days `YYYY-MM-DD` to a filter; an empty one is open. */
export const rangeOfDays = (from: string, to: string): string =>
  [...new Set([from, to])].join('..').replaceAll('-', '')

/** Converts the filter of a date to its first and last day. */
function daysIn(range: string): readonly [from: string, to: string] {
  const [from = '', to = from] = range
    .split('..')
    .map((day) => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'))
  return [from, to]
}

function daysText(range: string): string {
  const [from, to] = daysIn(range)
  if (from === to) return from
  return [from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ')
}

/** Renders the rows of a list, with the links to its file and to other pages. */
function rowsView(
  { parameters, home }: MerchantVisit,
  name: ResourceName,
  { table, offset, total }: Awaited<ReturnType<typeof rowsOf>>,
): SafeHtml {
  const { one } = RESOURCES[name]
  const sent = filtersIn(parameters, name)
  const isFiltered = Object.keys(sent).length > 0
  const at = (from: number) => addressOf(`${home}/${name}`, { ...sent, offset: String(from) })
  return html`${
    total === 0
      ? emptyState(
          isFiltered ? `No ${one}s match the search.` : `No ${one}s yet.`,
          isFiltered ? html`<a href="${home}/${name}">Show all ${one}s</a>` : null,
        )
      : html`${tableHtml({ ...withoutIds(table), days: name === 'transactions' ? 'payment' : one })}
<div class="foot"><span>${offset + 1} to ${offset + table.rows.length} of ${total}</span>
${pager({
  before: offset > 0 ? at(Math.max(0, offset - ROWS)) : null,
  after: offset + ROWS < total ? at(offset + ROWS) : null,
})}</div>`
  }`
}

/** Removes the column of ids, if another one links to the objects. The file has it. */
function withoutIds({ heads, rows, places }: Table): Table {
  const at = heads.indexOf('Id')
  if (
    at < 0 ||
    places?.[at] === 'first' ||
    rows.some((row) => !row.some(({ to }, i) => to && i !== at))
  )
    return { heads, rows, ...(places && { places }) }
  const isKept = (_: unknown, index: number) => index !== at
  return {
    heads: heads.filter(isKept),
    rows: rows.map((row) => row.filter(isKept)),
    ...(places && { places: places.filter(isKept) }),
  }
}

/** Builds an address without empty filters. */
function addressOf(list: string, filters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  return query.size === 0 ? list : `${list}?${query}`
}

/** Formats a day for filters: `YYYYMMDD`, UTC. @param now epoch milliseconds */
const dayOf = (now: number, before: number): string =>
  new Date(now - before * 24 * 60 * 60_000).toISOString().slice(0, 10).replaceAll('-', '')

async function listAsFile(visit: MerchantVisit, name: ResourceName): Promise<ConsoleFile> {
  const { heads, rows } = (
    await rowsOf(visit, name, { ...visit.parameters, limit: FILE_ROWS, offset: 0 })
  ).table
  const lines = [heads, ...rows.map((row) => row.map(({ text, wire }) => wire ?? text))]
  return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: csv(lines) }
}

/**
 * Reads the rows of a list with the API's filters; empty filters are ignored.
 * @throws errors.filter_parameter.not_supported, errors.filter_value.not_supported
 */
async function rowsOf(
  visit: MerchantVisit,
  name: ResourceName,
  parameters: Parameters,
  where?: Scope['where'],
) {
  const { db, dialect } = exchangeOf(visit.response).service.database
  const { merchant } = visit
  const sent = { ...parameters, filter: setFilters(parameters.filter ?? {}, name) }
  const listing = readListing(sent, LISTED_FIELDS[name])
  const { batches, total } = await readPage(
    db,
    dialect,
    name,
    { merchantId: merchant.id, ...(where && { where }) },
    listing,
  )
  const rows: (readonly Cell[])[] = []
  for await (const batch of batches) rows.push(...(await tableOf(visit, name, batch)).rows)
  return { table: { ...headsOf(name), rows }, offset: listing.offset, total }
}

/** Returns the title of a list, such as `Stored cards`. */
const titleOf = (name: ResourceName) => `${labelOf(RESOURCES[name].one)}s`

/** Converts rows to the table of a list. */
export async function tableOf(
  visit: MerchantVisit,
  name: ResourceName,
  found: readonly unknown[],
): Promise<Table> {
  const { present, columns, more } = RESOURCES[name]
  const viewing = viewingOf(visit)
  const objects = await present(viewing, found)
  const further = await more?.(viewing, found)
  const rows = objects.map((object, index) =>
    Object.values(columns).map((column) =>
      column({ ...(object as Wire), ...further?.[index] }, visit.home),
    ),
  )
  return { ...headsOf(name), rows }
}

const headsOf = (name: ResourceName): Pick<Table, 'heads' | 'places'> => ({
  heads: Object.keys(RESOURCES[name].columns),
  places: RESOURCES[name].places,
})

/** Rows of a list on another object's page. */
const PART_ROWS = 10

/** Reads the newest rows of a list, and their total. @param of column and value of the owner */
export async function newest(
  visit: MerchantVisit,
  name: ResourceName,
  of?: readonly [column: string, id: number],
) {
  const { table: whole, total } = await rowsOf(
    visit,
    name,
    { limit: PART_ROWS },
    of && { [of[0]]: of[1] },
  )
  const table = withoutIds(of ? withoutOwner(whole, of[0]) : whole)
  const all = `${visit.home}/${name}${of ? `?filter[${of[0]}]=${of[1]}` : ''}`
  return {
    title: titleOf(name),
    ...table,
    total,
    all: total > table.rows.length ? all : null,
  }
}

/** Removes the column that would link each row to the owner's own page. */
function withoutOwner({ heads, places, rows }: Table, column: string): Table {
  const owner = heads.indexOf(labelOf(column.replace(/_id$/, '')))
  const isKept = (_each: unknown, index: number) => index !== owner
  return {
    heads: heads.filter(isKept),
    ...(places && { places: places.filter(isKept) }),
    rows: rows.map((row) => row.filter(isKept)),
  }
}

/** Reads the filters of an address by name. */
function filtersIn({ filter }: Parameters, name: ResourceName): Readonly<Record<string, string>> {
  const sent = setFilters(filter ?? {}, name)
  if (!isObject(sent)) return {}
  return Object.fromEntries(
    Object.entries(sent).map(([field, value]) => [`filter[${field}]`, String(value)]),
  )
}

/** Removes empty filters, and converts the two days of a date to the API's range. */
function setFilters(filter: JsonValue, name: ResourceName): JsonValue {
  if (!isObject(filter)) return filter
  const ranges = Object.fromEntries(
    Object.entries(filter).map(([field, value]) => [
      field,
      isDate(name, field) && isObject(value)
        ? rangeOfDays(text(value, 'from') ?? '', text(value, 'to') ?? '')
        : value,
    ]),
  )
  return Object.fromEntries(
    Object.entries(ranges).filter(([field]) => text(ranges, field) !== undefined),
  )
}

/** Turns `payment_ref` into a label. */
export const labelOf = (field: string) =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`
