import { isObject, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import { readListing } from '../../../parsing/listing.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'
import { readPage, type Scope } from '../../../storage/list.ts'
import type { Row } from '../../../storage/rows.ts'
import { LISTED_FIELDS } from '../../../storage/tables/schema.ts'
import { createWork, getExchange } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  type ConsolePage,
  type ConsoleRoute,
  type ConsoleView,
  createViewContext,
  type FormAction,
  getFields,
  type MerchantVisit,
  nameOne,
  ownRow,
  type ResourceName,
} from '../visit.ts'
import {
  type Cell,
  copied,
  type Fact,
  factsIn,
  json,
  link,
  plain,
  renderCell,
  renderFactList,
  renderFactSummary,
  status,
} from './cells.ts'
import { type Filter, formatLabel, readDays } from './filters.ts'
import { type FormFields, labelChoices, renderButtonForm } from './forms.ts'
import { type List, listPages } from './list.ts'
import { formPage, type OperationForm, renderOperationForm } from './operation-form.ts'
import {
  getResource,
  RESOURCE_NAMES,
  type Resource,
  type ResourceForm,
  type Wire,
} from './resources.ts'
import { fill, renderSections, type Table } from './table.ts'
import { PRICES } from './typed-amount.ts'

const createDetailPage = (name: ResourceName): ConsolePage<MerchantVisit> => ({
  path: `/${name}/:id`,
  show: (visit) => showDetail(visit, name),
})

const createCancelAct = (
  name: ResourceName,
  cancel: NonNullable<Resource['cancel']>,
): FormAction<MerchantVisit> => ({
  path: `/${name}/:id/cancel`,
  async act(visit) {
    const { id } = await ownRow(visit, name)
    await cancel(createWork(visit.response), id)
    return { to: `/${name}/${id}`, done: 'cancelled' }
  },
})

/** Creates the page and the action that create or change an object. */
function createFormPage(
  name: ResourceName,
  { fields, more, save }: ResourceForm,
  isNew: boolean,
): readonly ConsoleRoute<MerchantVisit>[] {
  const one = nameOne(name)
  const form: OperationForm = {
    ...{ name, path: isNew ? `/${name}/new` : `/${name}/:id/change` },
    ...{ fields, more, button: isNew ? 'Create' : 'Save' },
    run: async (visit) =>
      save(visit, getFields(visit), isNew ? undefined : (await ownRow(visit, name)).id),
    ...{ to: ({ id }) => `/${name}/${id}`, done: 'saved' },
  }
  return formPage(form, async (visit) => {
    const object = isNew ? null : await findObject(visit, name)
    const known = await findKnownFields(visit, name, isNew)
    const pick = (some: FormFields): FormFields =>
      Object.fromEntries(
        Object.entries(some).flatMap(([each, field]) =>
          known[each] ? [[each, { ...known[each], ...field }]] : [],
        ),
      )
    return {
      title: object ? `Change ${one} ${object.id}` : `New ${one}`,
      body: renderOperationForm(
        visit,
        { ...form, fields: pick(fields), more: pick(more) },
        {
          values: Object.fromEntries(
            Object.entries(object ?? {}).map(([each, value]) => [each, formatValue(value, each)]),
          ),
          after: html`<a href="${visit.home}/${name}${object && `/${object.id}`}">Back</a>`,
        },
      ),
    }
  })
}

/** Finds the fields of the API's call that creates or changes an object. */
async function findKnownFields(
  { dependencies: { knownCalls } }: MerchantVisit,
  name: ResourceName,
  isNew: boolean,
): Promise<FormFields> {
  const known = await (isNew
    ? knownCalls.fields('POST', `/v1/${name}`)
    : knownCalls.fields('PUT', `/v1/${name}/:id`))
  return Object.fromEntries(
    known.map(({ name: each, description, choices, isNumber, isRequired }) => [
      each,
      {
        ...{ help: description, isRequired },
        ...(choices.length > 0 && { choices: labelChoices(choices) }),
        ...(isNumber && { kind: 'number' }),
      },
    ]),
  )
}

/** Formats a value for the form. */
function formatValue(value: Wire[string] | undefined, name: string): string {
  if (!isObject(value)) return String(value ?? '')
  if (!PRICES.includes(name)) return JSON.stringify(value, null, 2)
  return Object.entries(value)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join('\n')
}

/** Returns the title of a list, such as `Stored cards`. */
const getResourceTitle = (name: ResourceName): string => `${formatLabel(nameOne(name))}s`

function createResourceList(name: ResourceName): List<MerchantVisit, Wire> {
  const one = nameOne(name)
  const { days = one, columns, filters, chips = [], count, form } = getResource(name)
  return {
    path: name,
    title: getResourceTitle(name),
    one,
    days,
    live: ['transactions', 'data'],
    filters: Object.entries(filters).map(([field, choices]) => createFilter(name, field, choices)),
    chips,
    columns,
    sent: ({ filter }) =>
      Object.fromEntries(
        Object.entries(setFilters(filter ?? {}, name)).map(([field, value]) => [
          `filter[${field}]`,
          String(value),
        ]),
      ),
    find: (visit, _sent, range) => findResources(visit, name, { ...visit.parameters, ...range }),
    ...(count && {
      count: ({ dependencies, merchant }) => count(dependencies.database.db, merchant.id),
    }),
    ...(form && {
      actions: ({ home }) => html`<a class="button" href="${home}/${name}/new">New ${one}</a>`,
    }),
  }
}

/** Builds a filter from the type of its field. */
function createFilter(name: ResourceName, field: string, choices: readonly string[]): Filter {
  const type = LISTED_FIELDS[name][field]
  const label = formatLabel(field)
  return {
    name: `filter[${field}]`,
    label,
    hint:
      type === 'decimal' ? '10..20' : /ref$|name$|reason/.test(field) ? `${label}, such as A*` : '',
    choices: type === 'boolean' ? ['true', 'false'] : choices,
    isDate: type === 'date',
  }
}

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
async function findResources(
  visit: MerchantVisit,
  name: ResourceName,
  parameters: Parameters,
  where?: Scope['where'],
): Promise<{ readonly rows: readonly Wire[]; readonly total: number }> {
  const { db, dialect } = getExchange(visit.response).service.database
  const filter = isObject(parameters.filter)
    ? setFilters(parameters.filter, name)
    : parameters.filter
  const listing = readListing({ ...parameters, filter: filter ?? {} }, LISTED_FIELDS[name])
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

/** Converts rows to the table of a list. */
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
) {
  const { rows, total } = await findResources(
    visit,
    name,
    { limit: PART_ROWS },
    of && { [of[0]]: of[1] },
  )
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

/**
 * Shows an object: its amount or name, its facts, related lists, and every field.
 * @param body what the page of the object has besides
 */
export async function showDetail(
  visit: MerchantVisit,
  name: ResourceName,
  body: SafeHtml | null = null,
): Promise<ConsoleView> {
  const object = await findObject(visit, name)
  const one = nameOne(name)
  const { columns, parts = {}, facts, form, cancel } = getResource(name)
  const cells = columns.map(([head, createCell, place]) => ({
    place,
    name: head,
    ...createCell(object, visit.home),
  }))
  const headline =
    cells.find(({ quantity }) => quantity) ?? cells.find(({ place }) => place === 'first')
  const state = cells.find(({ tone }) => tone !== undefined)
  const lists = []
  for (const [part, column] of Object.entries(parts))
    lists.push(await newest(visit, part as ResourceName, [column, object.id]))
  const at = `${visit.home}/${name}/${object.id}`
  return {
    live: ['transactions', 'data'],
    title: `${formatLabel(one)} ${object.id}`,
    heading: renderHeading(headline?.text ?? '', state),
    actions: form ? html`<a class="button small" href="${at}/change">Change this ${one}</a>` : null,
    body: html`${renderFactSummary([
      ...cells.filter(
        (each) =>
          each !== headline &&
          each !== state &&
          each.to !== at &&
          each.name !== 'Id' &&
          each.text !== '',
      ),
      ...factsIn((await facts?.(visit)) ?? {}),
    ])}
${body}
${renderSections(lists)}
${renderFoldedFacts('All fields', listFacts(object, visit.home))}
${
  cancel && object.status === 'active'
    ? html`<div class="btns">${renderButtonForm(visit, `${at}/cancel`, `Cancel this ${one}`, 'danger')}</div>`
    : null
}`,
  }
}

/** Renders the heading of an object: its amount or name, with its status. */
export const renderHeading = (
  text: SafeHtml | string,
  ...states: readonly (Cell | undefined)[]
): SafeHtml =>
  html`<span class="amount">${text} ${states.map((state) => state && renderCell(state))}</span>`

/** Renders facts behind their title; nothing without facts. */
export const renderFoldedFacts = (title: string, facts: readonly Fact[]): SafeHtml | null =>
  facts.length === 0
    ? null
    : html`<details><summary>${title}</summary>${renderFactList(facts)}</details>`

/**
 * Reads one object in the API's format. @throws errors.not_found (196), also for other merchants'
 * (attack 116)
 */
export async function findObject(visit: MerchantVisit, name: ResourceName): Promise<Wire> {
  const [object] = await getResource(name).present(createViewContext(visit), [
    await ownRow(visit, name),
  ])
  return object as Wire
}

/** Lists every field with a value, in the API's order. */
export const listFacts = (object: JsonObject, home: string): readonly Fact[] =>
  Object.entries(object)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({ name, ...createFactCell(name, value, home) }))

/** Names of values to copy: ids, references, addresses, hashes. */
const TAKEN_ALONG = /(?:^|_)(?:id|ref|token|hash|href|url|number|email)$/

function createFactCell(name: string, value: JsonValue, home: string): Cell {
  if (name === 'status') return status(String(value))
  if (name === 'transaction' && typeof value === 'string')
    return createFactCell(name, JSON.parse(value), home)
  if (typeof value !== 'object' || value === null) {
    const shown = plain(String(value))
    return TAKEN_ALONG.test(name) ? copied(shown) : shown
  }
  const resource = RESOURCE_NAMES.find((each) => nameOne(each) === name.replace('_', ' '))
  if (resource && 'id' in value) return link(Number(value.id), `${home}/${resource}/${value.id}`)
  return json(value)
}

/** Pages of each resource: its list as a page and as a file, its forms, and its objects. */
export const RESOURCE_PAGES: readonly ConsoleRoute<MerchantVisit>[] = RESOURCE_NAMES.flatMap(
  (name) => {
    const { form, cancel } = getResource(name)
    return [
      ...listPages(createResourceList(name)),
      ...(form ? [true, false].flatMap((isNew) => createFormPage(name, form, isNew)) : []),
      // Payments and subscriptions have pages of their own.
      ...(['transactions', 'subscriptions'].includes(name) ? [] : [createDetailPage(name)]),
      ...(cancel ? [createCancelAct(name, cancel)] : []),
    ]
  },
)
