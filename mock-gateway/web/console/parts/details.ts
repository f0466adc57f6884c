import { cancelStoredCard } from '../../../cards/stored-cards.ts'
import type { JsonValue } from '../../../domain/json.ts'
import { cancelPlan } from '../../../subscriptions/plans.ts'
import { cancelSubscription } from '../../../subscriptions/subscriptions.ts'
import type { OpenWork } from '../../../work/work.ts'
import { workOf } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { customerFacts } from '../customers/customer-facts.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  ownRow,
  viewingOf,
} from '../visit.ts'
import { cell, type Fact, factList, factSummary } from './cell.ts'
import { type Cell, copied, json, link, plain, status } from './cells.ts'
import { buttonForm } from './forms.ts'
import { newest } from './lists.ts'
import { RESOURCE_NAMES, RESOURCES, type ResourceName, type Wire } from './resources.ts'
import { sections } from './table.ts'

/** Resources with their own page. */
const SHOWN_APART: readonly ResourceName[] = ['transactions', 'subscriptions']

/** Pages of one object of each other resource. */
export const DETAIL_PAGES: readonly ConsolePage<MerchantVisit>[] = RESOURCE_NAMES.filter(
  (name) => !SHOWN_APART.includes(name),
).map((name) => ({ path: `/${name}/:id`, section: name, show: (visit) => detail(visit, name) }))

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
      await cancel(workOf(visit.response), id)
      return { to: `/${name}/${id}`, done: 'cancelled' }
    },
  }),
)

async function detail(visit: MerchantVisit, name: ResourceName): Promise<ConsoleView> {
  const object = await objectOf(visit, name)
  const { one, columns, places, parts, hasForms } = RESOURCES[name]
  const facts = Object.entries(columns).map(([title, cellOf]) => ({
    name: title,
    ...cellOf(object, visit.home),
  }))
  const headline = facts.find(({ quantity }) => quantity) ?? facts[places.indexOf('first')]
  const state = facts.find(({ tone }) => tone !== null)
  const others = facts.filter(
    (fact) => fact.name !== 'Id' && fact !== headline && fact !== state && fact.text !== '',
  )
  const lists = []
  for (const [part, column] of Object.entries(parts))
    lists.push(await newest(visit, part as ResourceName, [column, object.id]))
  const at = `${visit.home}/${name}/${object.id}`
  const canCancel = name in CANCEL && object.status === 'active'
  return {
    live: ['transactions', 'data'],
    title: `${one.charAt(0).toUpperCase()}${one.slice(1)} ${object.id}`,
    heading: html`<span class="amount">${headline?.text} ${state && cell(state)}</span>`,
    actions: hasForms ? html`<a class="button" href="${at}/change">Change this ${one}</a>` : null,
    body: html`${factSummary([
      ...others.map((fact) => (fact.to === at ? { ...fact, to: null } : fact)),
      ...(name === 'customers' ? await customerFacts(visit, object.id) : []),
    ])}
${sections(lists)}
<details><summary>All fields</summary>${factList(factsOf(object, visit.home))}</details>
${canCancel ? html`<div class="bulk">${buttonForm(visit, `${at}/cancel`, `Cancel this ${one}`, 'danger')}</div>` : null}`,
  }
}

/**
 * Reads one object in the API's format. @throws errors.not_found (196), also for other merchants'
 * (attack 116)
 */
export async function objectOf(visit: MerchantVisit, name: ResourceName): Promise<Wire> {
  const [object] = await RESOURCES[name].present(viewingOf(visit), [await ownRow(visit, name)])
  return object as Wire
}

/** Lists every field with a value, in the API's order. */
export const factsOf = (object: Wire, home: string): Fact[] =>
  Object.entries(object)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({ name, ...factOf(name, value, home) }))

/** Names of values to copy: ids, references, addresses, hashes. */
const TAKEN_ALONG = /(?:^|_)(?:id|ref|token|hash|href|url|number|email)$/

function factOf(name: string, value: JsonValue, home: string): Cell {
  if (name === 'status') return status(String(value))
  if (name === 'transaction' && typeof value === 'string')
    return factOf(name, JSON.parse(value), home)
  if (typeof value !== 'object' || value === null) {
    const shown = plain(String(value))
    return TAKEN_ALONG.test(name) ? copied(shown) : shown
  }
  const resource = RESOURCE_NAMES.find((each) => RESOURCES[each].one.replace(' ', '_') === name)
  if (resource && 'id' in value) return link(Number(value.id), `${home}/${resource}/${value.id}`)
  return json(value)
}
