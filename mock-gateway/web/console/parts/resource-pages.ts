import { isObject, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import { createWork } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  type ConsoleRoute,
  type ConsoleView,
  createViewContext,
  type FormAction,
  type MerchantVisit,
  nameOne,
  ownRow,
  type ResourceName,
} from '../visit.ts'
import {
  type Cell,
  type CellValue,
  copied,
  type Fact,
  json,
  link,
  renderCell,
  renderFacts,
  renderFoldedFacts,
  status,
  toCell,
} from './cells.ts'
import { formatLabel } from './filters.ts'
import { type FormFields, labelChoices, renderButtonForm } from './forms.ts'
import { listPages } from './list.ts'
import { formPage, type OperationForm, renderOperationForm } from './operation-form.ts'
import { createResourceList, newest } from './resource-lists.ts'
import { getResource, RESOURCE_NAMES, type ResourceForm, type Wire } from './resources.ts'
import { renderSections } from './table.ts'
import { PRICES } from './typed-amount.ts'

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
      save(visit, visit.fields, isNew ? undefined : (await ownRow(visit, name)).id),
    ...{ to: ({ id }) => `/${name}/${id}`, done: 'saved' },
  }
  return formPage(form, async (visit) => {
    const object = isNew ? null : await findObject(visit, name)
    const known = await findKnownFields(visit, name, isNew)
    const pick = (some: FormFields): FormFields =>
      Object.fromEntries(
        Object.entries(some)
          .filter(([each]) => each in known)
          .map(([each, field]) => [each, { ...known[each], ...field }]),
      )
    const shown = { ...form, fields: pick(fields), more: pick(more) }
    const values = Object.fromEntries(
      Object.entries(object ?? {}).map(([each, value]) => [each, formatValue(value, each)]),
    )
    const after = html`<a class="button small" href="${visit.home}/${name}${object && `/${object.id}`}">Cancel</a>`
    return {
      title: object ? `Change ${one} ${object.id}` : `New ${one}`,
      body: renderOperationForm(visit, shown, { values, after }),
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

function formatValue(value: Wire[string] | undefined, name: string): string {
  if (!isObject(value)) return String(value ?? '')
  if (!PRICES.includes(name)) return JSON.stringify(value, null, 2)
  return Object.entries(value)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join('\n')
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
  const { columns, parts = {}, more, form, cancel } = getResource(name)
  const [further] = (await more?.(createViewContext(visit), [await ownRow(visit, name)])) ?? []
  const cells = columns.map(([name, createCell, place]) => ({
    ...{ place, name },
    ...toCell(createCell({ ...object, ...further }, visit.home)),
  }))
  const headline =
    cells.find(({ name, place }) => /^(?:Amount|Price)$/.test(name) && place?.endsWith('-end')) ??
    cells.find(({ place }) => place === 'first')
  const state = cells.find(({ tone }) => tone !== undefined)
  const lists = []
  for (const [part, column] of Object.entries(parts))
    lists.push(await newest(visit, part as ResourceName, [column, object.id]))
  const at = `${visit.home}/${name}/${object.id}`
  const summary = cells
    .filter((each) => each !== headline && each !== state && each.to !== at && each.name !== 'Id')
    .map((each) => [each.name, each] as const)
  const isCancellable = cancel && object.status === 'active'
  return {
    live: ['transactions', 'data'],
    title: `${formatLabel(one)} ${object.id}`,
    heading: renderHeading(
      html`${headline?.text} ${headline?.note && html`<span class="quiet">${headline.note}</span>`}`,
      state,
    ),
    actions: html`${isCancellable ? renderButtonForm(visit, `${at}/cancel`, `Cancel this ${one}`, 'danger') : null}
${form && html`<a class="button small" href="${at}/change">Change this ${one}</a>`}`,
    body: html`${renderFacts(summary, 'summary')}
${body}
${renderSections(lists)}
${renderFoldedFacts('All fields', listFacts(object, visit.home))}`,
  }
}

export const renderHeading = (
  text: SafeHtml | string,
  ...states: readonly (Cell | undefined)[]
): SafeHtml =>
  html`<span class="amount">${text}</span> ${states.map((state) => state && renderCell(state))}`

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

export const listFacts = (object: JsonObject, home: string): readonly Fact[] =>
  Object.entries(object).map(([name, value]) => [name, createFactCell(name, value, home)])

/** Names of values that get a Copy button: ids, references, addresses, hashes. */
const TAKEN_ALONG = /(?:^|_)(?:id|ref|token|hash|href|url|number|email)$/

function createFactCell(name: string, value: JsonValue, home: string): CellValue {
  if (name === 'status') return status(String(value))
  if (name === 'transaction' && typeof value === 'string')
    return createFactCell(name, JSON.parse(value), home)
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null)
    return TAKEN_ALONG.test(name) ? copied(value) : value
  const resource = RESOURCE_NAMES.find((each) => nameOne(each) === name.replace('_', ' '))
  if (resource && 'id' in value) return link(Number(value.id), `${home}/${resource}/${value.id}`)
  return json(value)
}

/** Pages of each resource: its list as a page and as a file, its forms, and its objects. */
export const RESOURCE_PAGES: readonly ConsoleRoute<MerchantVisit>[] = RESOURCE_NAMES.flatMap(
  (name) => {
    const { form, cancel } = getResource(name)
    const detail = { path: `/${name}/:id`, show: (visit: MerchantVisit) => showDetail(visit, name) }
    const cancelAct: FormAction<MerchantVisit> = {
      path: `/${name}/:id/cancel`,
      async act(visit) {
        const { id } = await ownRow(visit, name)
        await cancel?.(createWork(visit.response), id)
        return { to: `/${name}/${id}`, done: 'cancelled' }
      },
    }
    return [
      ...listPages(createResourceList(name)),
      ...(form ? [true, false].flatMap((isNew) => createFormPage(name, form, isNew)) : []),
      // Payments and subscriptions have pages of their own.
      ...(['transactions', 'subscriptions'].includes(name) ? [] : [detail]),
      ...(cancel ? [cancelAct] : []),
    ]
  },
)
