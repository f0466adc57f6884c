import { isObject, type JsonValue } from '../../../domain/json.ts'
import { readListing } from '../../../parsing/listing.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { readPage, type Scope } from '../../../storage/list.ts'
import type { Row } from '../../../storage/rows.ts'
import { LISTED_FIELDS } from '../../../storage/tables/schema.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { createViewContext, type MerchantVisit, nameOne, type ResourceName } from '../visit.ts'
import { type Filter, formatLabel, readDays } from './filters.ts'
import type { List } from './list.ts'
import { getResource, type Wire } from './resources.ts'
import { fill, type Table } from './table.ts'

/** Returns the title of a list, such as `Stored cards`. */
const getResourceTitle = (name: ResourceName): string =>
  name === 'transactions' ? 'Payments' : `${formatLabel(nameOne(name))}s`

export function createResourceList(name: ResourceName): List<MerchantVisit, Wire> {
  const one = nameOne(name)
  const { days, columns, filters, count, form } = getResource(name)
  return {
    ...{ path: name, title: getResourceTitle(name), one, days, columns },
    live: ['transactions', 'data'],
    filters: Object.entries(filters).map(([field, choices]) => createFilter(name, field, choices)),
    sent: ({ filter }) =>
      Object.fromEntries(
        Object.entries(setFilters(filter ?? {}, name)).map(([field, value]) => [
          `filter[${field}]`,
          String(value),
        ]),
      ),
    find: (visit, _sent, range) => findResources(visit, name, { ...visit.parameters, ...range }),
    count: ({ db, merchant }) => count?.(db, merchant.id) ?? {},
    actions: ({ home, root }) =>
      form
        ? html`<a class="button" href="${home}/${name}/new">New ${one}</a>`
        : name === 'transactions'
          ? renderTestPaymentButton(root)
          : undefined,
  }
}

/** @param root path of the console; the home page has the test payment */
export const renderTestPaymentButton = (root: string): SafeHtml =>
  html`<a class="button" href="${root.replace(/\/console$/, '')}/">New test payment</a>`

function createFilter(name: ResourceName, field: string, choices: readonly string[]): Filter {
  const type = LISTED_FIELDS[name][field]
  const label = formatLabel(field)
  return {
    name: `filter[${field}]`,
    label,
    hint: type === 'decimal' ? '10..20' : field === 'payment_ref' ? 'Order' : label,
    choices: type === 'boolean' ? ['true', 'false'] : choices,
    isDate: type === 'date',
  }
}

/** Lets a text without wildcards match any part of a value. */
const findParts = (filter: Parameters, name: ResourceName): Parameters =>
  Object.fromEntries(
    Object.entries(filter).map(([field, value]) => {
      const isPart = LISTED_FIELDS[name][field] === 'string' && !String(value).includes('*')
      return [field, isPart ? `*${value}*` : value]
    }),
  )

/** Removes empty filters, and converts the two days of a date to the API's range. */
function setFilters(filter: JsonValue, name: ResourceName): Parameters {
  if (!isObject(filter)) return {}
  const values = Object.fromEntries(
    Object.entries(filter).map(([field, value]) => [
      field,
      LISTED_FIELDS[name][field] === 'date' ? readDays(value) : value,
    ]),
  )
  return Object.fromEntries(Object.entries(values).filter(([field]) => text(values, field)))
}

/**
 * Reads the rows of a list with the API's filters; empty filters are ignored.
 * @throws errors.filter_parameter.not_supported, errors.filter_value.not_supported
 */
export async function findResources(
  visit: MerchantVisit,
  name: ResourceName,
  { filter: sent = {}, ...parameters }: Parameters,
  where?: Scope['where'],
): Promise<{ readonly rows: readonly Wire[]; readonly total: number }> {
  const { db, dialect } = visit.dependencies.database
  const filter = isObject(sent) ? findParts(setFilters(sent, name), name) : sent
  const listing = readListing({ ...parameters, filter }, LISTED_FIELDS[name])
  const scope = { merchantId: visit.merchant.id, ...(where && { where }) }
  const { batches, total } = await readPage(db, dialect, name, scope, listing)
  const rows: Wire[] = []
  for await (const batch of batches) rows.push(...(await presentRows(visit, name, batch)))
  return { rows, total }
}

/** Serializes rows, with the further fields of their list. */
async function presentRows(
  visit: MerchantVisit,
  name: ResourceName,
  found: readonly Row<ResourceName>[],
): Promise<Wire[]> {
  const { present, more } = getResource(name)
  const viewing = createViewContext(visit)
  const objects = await present(viewing, found)
  const further = await more?.(viewing, found)
  return objects.map((object, index) => ({ ...(object as Wire), ...further?.[index] }))
}

export const createResourceTable = async (
  visit: MerchantVisit,
  name: ResourceName,
  found: readonly Row<ResourceName>[],
): Promise<Table> =>
  fill(getResource(name).columns, await presentRows(visit, name, found), visit.home)

/** Rows of a list on another object's page. */
const PART_ROWS = 10

/** Reads the newest rows of a list, and their total. @param of column and value of the owner */
export async function newest(
  visit: MerchantVisit,
  name: ResourceName,
  of?: readonly [column: string, id: number],
  limit = PART_ROWS,
) {
  const { rows, total } = await findResources(visit, name, { limit }, of && { [of[0]]: of[1] })
  // Each row would link to the owner's own page.
  const owner = of && formatLabel(of[0].replace(/_id$/, ''))
  const columns = getResource(name).columns.filter(([head]) => head !== owner)
  const all = `${visit.home}/${name}${of ? `?filter[${of[0]}]=${of[1]}` : ''}`
  return {
    title: getResourceTitle(name),
    ...fill(columns, rows, visit.home),
    total,
    all: total > rows.length ? all : null,
  }
}
