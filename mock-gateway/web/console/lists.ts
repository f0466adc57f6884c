import { isObject, type JsonValue } from '../../domain/json.ts'
import { readListing } from '../../requests/listing.ts'
import { type Parameters, text } from '../../requests/parameters/parameters.ts'
import { LISTED_FIELDS, readPage, type Scope } from '../../storage/list.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Cell } from './cells.ts'
import { csv } from './csv.ts'
import { RESOURCE_NAMES, RESOURCES, type ResourceName, type Wire } from './resources.ts'
import { MERCHANT_MENU } from './sections.ts'
import { type File, type MerchantVisit, type Page, type View, viewingOf } from './visit.ts'

/** Rows of one page. */
export const ROWS = 25

/** Rows of a file: whoever needs more takes the API. */
const FILE_ROWS = 1000

/** A table as a view shows it. */
export interface Table {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The list of each resource, and the same as a file. */
export const LIST_PAGES: readonly Page<MerchantVisit>[] = RESOURCE_NAMES.flatMap((name) => [
  { path: `/${name}`, section: name, show: (visit) => list(visit, name) },
  { path: `/${name}.csv`, section: name, show: (visit) => listAsFile(visit, name) },
])

async function list(visit: MerchantVisit, name: ResourceName): Promise<View> {
  const { parameters, home } = visit
  const { table, offset, total } = await rowsOf(visit, name, { ...parameters, limit: ROWS })
  const { one, filters } = RESOURCES[name]
  const sent = filtersIn(parameters)
  const at = (from: number) => `${home}/${name}?${new URLSearchParams({ ...sent, offset: String(from) })}`
  return {
    view: 'list',
    title: MERCHANT_MENU.Payments[name],
    // Further down rows would move away under one's eyes.
    live: offset === 0 ? [name, 'transactions', 'data'] : undefined,
    data: {
      ...table,
      one,
      total,
      first: total === 0 ? 0 : offset + 1,
      last: offset + table.rows.length,
      before: offset > 0 ? at(Math.max(0, offset - ROWS)) : null,
      after: offset + ROWS < total ? at(offset + ROWS) : null,
      file_rows: FILE_ROWS,
      file: `${home}/${name}.csv?${new URLSearchParams(sent)}`,
      clear: Object.keys(sent).length > 0 ? `${home}/${name}` : null,
      filters: Object.entries(filters).map(([field, choices]) => ({
        name: `filter[${field}]`,
        label: labelOf(field),
        value: sent[`filter[${field}]`] ?? '',
        choices,
      })),
    },
  }
}

async function listAsFile(visit: MerchantVisit, name: ResourceName): Promise<File> {
  const { heads, rows } = (await rowsOf(visit, name, { ...visit.parameters, limit: FILE_ROWS, offset: 0 })).table
  const lines = [heads, ...rows.map((row) => row.map((cell) => cell.text))]
  return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content: csv(lines) }
}

/**
 * Rows of a list, by the filters that the API takes; a filter that was left empty is none.
 * @throws errors.filter_parameter.not_supported, errors.filter_value.not_supported
 */
async function rowsOf(visit: MerchantVisit, name: ResourceName, parameters: Parameters, where?: Scope['where']) {
  const { db, dialect } = exchangeOf(visit.response).service.database
  const { merchant, home } = visit
  const sent = { ...parameters, filter: withoutEmpty(parameters.filter ?? {}) }
  const listing = readListing(sent, LISTED_FIELDS[name])
  const { batches, total } = await readPage(
    db,
    dialect,
    name,
    { merchantId: merchant.id, ...(where && { where }) },
    listing,
  )
  const { present, columns } = RESOURCES[name]
  const rows: Cell[][] = []
  for await (const batch of batches)
    for (const object of await present(viewingOf(visit), batch))
      rows.push(Object.values(columns).map((column) => column(object as Wire, home)))
  return { table: { heads: Object.keys(columns), rows }, offset: listing.offset, total }
}

/** Rows on a page that is about something else. */
const PART_ROWS = 10

/** The newest of a list, and how many there are. @param of the column and value that say whose they are */
export async function newest(visit: MerchantVisit, name: ResourceName, of?: readonly [column: string, id: number]) {
  const { table, total } = await rowsOf(visit, name, { limit: PART_ROWS }, of && { [of[0]]: of[1] })
  const all = `${visit.home}/${name}${of ? `?filter[${of[0]}]=${of[1]}` : ''}`
  return { title: MERCHANT_MENU.Payments[name], ...table, total, all: total > table.rows.length ? all : null }
}

/** The filters of an address, under their names there. */
function filtersIn({ filter }: Parameters): Readonly<Record<string, string>> {
  const sent = withoutEmpty(filter ?? {})
  if (!isObject(sent)) return {}
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [`filter[${name}]`, String(value)]))
}

function withoutEmpty(filter: JsonValue): JsonValue {
  if (!isObject(filter)) return filter
  return Object.fromEntries(Object.entries(filter).filter(([name]) => text(filter, name) !== undefined))
}

/** `payment_ref` as people write it. */
export const labelOf = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`
