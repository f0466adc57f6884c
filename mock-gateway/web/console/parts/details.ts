import { cancelStoredCard } from '../../../cards/stored-cards.ts'
import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import { cancelPlan } from '../../../subscriptions/plans.ts'
import { cancelSubscription } from '../../../subscriptions/subscriptions.ts'
import type { OpenWork } from '../../../work/work.ts'
import { createWork } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { customerFacts } from '../customers/customer-facts.ts'
import {
  type ConsolePage,
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
  cell,
  copied,
  type Fact,
  factList,
  factSummary,
  factsIn,
  json,
  link,
  plain,
  status,
} from './cells.ts'
import { formatLabel } from './filters.ts'
import { buttonForm } from './forms.ts'
import { newest } from './resource-lists.ts'
import { RESOURCE_NAMES, RESOURCES, type Wire } from './resources.ts'
import { sections } from './table.ts'

/** Pages of one object of each resource that has no page of its own. */
export const DETAIL_PAGES: readonly ConsolePage<MerchantVisit>[] = (
  ['refunds', 'plans', 'customers', 'stored_cards'] as const
).map((name) => ({
  path: `/${name}/:id`,
  section: name,
  show: async (visit) =>
    showDetail(visit, name, name === 'customers' ? { facts: await customerFacts(visit) } : {}),
}))

/** Form actions that cancel an object. */
const CANCEL: Readonly<
  Partial<Record<ResourceName, (work: OpenWork, id: number) => Promise<unknown>>>
> = {
  plans: cancelPlan,
  stored_cards: cancelStoredCard,
  subscriptions: cancelSubscription,
}

export const DETAIL_ACTS: readonly FormAction<MerchantVisit>[] = Object.entries(CANCEL).map(
  ([name, cancel]) => ({
    path: `/${name}/:id/cancel`,
    async act(visit) {
      const { id } = await ownRow(visit, name as ResourceName)
      await cancel(createWork(visit.response), id)
      return { to: `/${name}/${id}`, done: 'cancelled' }
    },
  }),
)

/** What the page of an object has besides the parts of its resource. */
export interface OwnParts {
  /** Facts beside those of the columns. */
  readonly facts?: Readonly<Record<string, Cell>>
  readonly body?: SafeHtml
}

/** Shows an object: its amount or name, its facts, related lists, and every field. */
export async function showDetail(
  visit: MerchantVisit,
  name: ResourceName,
  { facts = {}, body }: OwnParts = {},
): Promise<ConsoleView> {
  const object = await findObject(visit, name)
  const one = nameOne(name)
  const { columns, parts = {}, hasForms } = RESOURCES[name]
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
    heading: heading(headline?.text ?? '', state),
    actions: hasForms
      ? html`<a class="button small" href="${at}/change">Change this ${one}</a>`
      : null,
    body: html`${factSummary([
      ...cells.filter(
        (each) =>
          each !== headline &&
          each !== state &&
          each.to !== at &&
          each.name !== 'Id' &&
          each.text !== '',
      ),
      ...factsIn(facts),
    ])}
${body}
${sections(lists)}
${foldedFacts('All fields', listFacts(object, visit.home))}
${
  name in CANCEL && object.status === 'active'
    ? html`<div class="bulk">${buttonForm(visit, `${at}/cancel`, `Cancel this ${one}`, 'danger')}</div>`
    : null
}`,
  }
}

/** Renders the heading of an object: its amount or name, with its status. */
export const heading = (
  text: SafeHtml | string,
  ...states: readonly (Cell | undefined)[]
): SafeHtml =>
  html`<span class="amount">${text} ${states.map((state) => state && cell(state))}</span>`

/** Renders facts behind their title; nothing without facts. */
export const foldedFacts = (title: string, facts: readonly Fact[]): SafeHtml | null =>
  facts.length === 0 ? null : html`<details><summary>${title}</summary>${factList(facts)}</details>`

/**
 * Reads one object in the API's format. @throws errors.not_found (196), also for other merchants'
 * (attack 116)
 */
export async function findObject(visit: MerchantVisit, name: ResourceName): Promise<Wire> {
  const [object] = await RESOURCES[name].present(createViewContext(visit), [
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
