import { findEntryByCode, findEntryByName } from '../../../domain/errors/errors.ts'
import { readId } from '../../../domain/identifiers.ts'
import { MAX_WILDCARDS } from '../../../domain/listing.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { findRequests } from '../../../storage/requests.ts'
import { findAll, findOne } from '../../../storage/rows.ts'
import { type ResultRange, type SearchTerm, searchRows } from '../../../storage/search.ts'
import { type RequestRow, readContents } from '../../../storage/tables/requests.ts'
import { html } from '../../pages/html.ts'
import { link, status, toCell } from '../parts/cells.ts'
import { paged, renderPager } from '../parts/list.ts'
import { renderEmptyState } from '../parts/problem.ts'
import { createResourceTable, findResources } from '../parts/resource-lists.ts'
import { getResource } from '../parts/resources.ts'
import { fill, renderSections, type Table } from '../parts/table.ts'
import { typedAmount } from '../parts/typed-amount.ts'
import type { ConsolePage, MerchantVisit, ResourceName } from '../visit.ts'
import { deliveryTable } from '../webhooks/deliveries.ts'

/**
 * Page that searches all objects for a text. `only` names one kind, of which all results are shown.
 */
export const SEARCH_PAGE: ConsolePage<MerchantVisit> = {
  path: '/search',
  async show(visit) {
    const { home, parameters } = visit
    const sought = (text(parameters, 'q') ?? '').trim().slice(0, LONGEST)
    const only = text(parameters, 'only')
    const entry = sought === '' ? undefined : findError(sought)
    const findAmong = async (all: readonly Search[]) => {
      const some = all.filter(({ title }) => sought !== '' && title === (only ?? title))
      const find = only === undefined ? findFirst : findPage
      const found = await Promise.all(some.map((search) => find(visit, search, sought)))
      return found.filter(({ rows }) => only !== undefined || rows.length > 0)
    }
    const exact = await findAmong(SEARCHES)
    const lists = exact.length > 0 ? exact : await findAmong(PART_SEARCHES)
    return {
      title: 'Search',
      body: html`<form class="row search" method="get" role="search" aria-label="Everything">
<input type="search" name="q" value="${sought}" aria-label="Id, payment ref, amount, customer, last four digits, request id, webhook id or error">
<button>Search</button></form>
${entry && html`<p><b>${entry.code}</b> <code>${entry.name}</code>: ${entry.en}</p>`}
${
  lists.length > 0
    ? html`${renderSections(lists)}
${lists.map(renderPager)}`
    : sought === ''
      ? null
      : renderEmptyState(
          `Nothing was found for ${sought}.`,
          html`The lists have more filters: <a href="${home}/transactions">payments</a>,
<a href="${home}/requests">requests</a>, <a href="${home}/webhooks">webhooks</a>.`,
        )
}`,
    }
  },
}

const MAX_RESULTS = 20

const LONGEST = 255

/** Finds the newest results of a kind, with a link to the rest. */
async function findFirst(visit: MerchantVisit, { title, find }: Search, sought: string) {
  const { rows, ...found } = await find(visit, sought, { limit: MAX_RESULTS + 1, offset: 0 })
  const isMore = rows.length > MAX_RESULTS
  return {
    ...{ title, ...found, rows: rows.slice(0, MAX_RESULTS) },
    total: isMore ? `${MAX_RESULTS}+` : rows.length,
    all: isMore ? getAddress(visit, sought, title) : null,
    ...{ before: null, after: null },
  }
}

/** Finds the results of a kind on the page that the address names. */
async function findPage(visit: MerchantVisit, { title, find }: Search, sought: string) {
  const { heads } = await find(visit, sought, { limit: 1, offset: 0 })
  const address = getAddress(visit, sought, title)
  const found = await paged(visit, address, (place) => find(visit, sought, place))
  return { ...found, title, heads, total: null, all: null }
}

const getAddress = ({ home }: MerchantVisit, q: string, only: string) =>
  `${home}/search?${new URLSearchParams({ q, only })}`

/** Search for one kind. A text that cannot match finds nothing. */
interface Search {
  readonly title: string
  find(visit: MerchantVisit, query: string, place: ResultRange): Promise<Table>
}

const NOTHING: Table = { heads: [], rows: [] }

const rows = (
  title: string,
  name: ResourceName,
  read: (query: string) => SearchTerm | undefined,
): Search => ({
  title,
  async find(visit, typed, place) {
    const query = read(typed)
    if (!query) return NOTHING
    const found = await searchRows(visit.db, name, visit.merchant.id, query, place)
    return createResourceTable(visit, name, found)
  },
})

/** Searches a field for a part of a text. */
const parts = (title: string, name: ResourceName, field: string): Search => ({
  title,
  async find(visit, typed, place) {
    // A filter with control characters or more wildcards is rejected.
    if (/\p{Cc}/u.test(typed) || typed.split(/\*+/).length > MAX_WILDCARDS + 1) return NOTHING
    const { rows } = await findResources(visit, name, { filter: { [field]: typed }, ...place })
    return fill(getResource(name).columns, rows, visit.home)
  },
})

const byId = (query: string): SearchTerm | undefined => {
  const id = readId(query)
  return id === undefined ? undefined : ['id', id]
}

const byLastFour = (query: string): SearchTerm | undefined =>
  /^\d{4}$/.test(query) ? ['last_four', query] : undefined

const byAmount = (query: string): SearchTerm | undefined => {
  const amount = typedAmount(query)
  return amount === undefined ? undefined : ['amount', amount]
}

const findError = (query: string) => findEntryByName(query) ?? findEntryByCode(readId(query) ?? 0)

const byError = (query: string): SearchTerm | undefined => {
  const entry = findError(query)
  return entry && ['error_name', entry.name]
}

const SEARCHES: readonly Search[] = [
  rows('Transaction with this id', 'transactions', byId),
  rows('Transactions by payment ref', 'transactions', (query) => ['payment_ref', query]),
  rows('Customers by ref', 'customers', (query) => ['ref', query]),
  rows('Transactions with this amount', 'transactions', byAmount),
  rows('Transactions by the last digits of the card', 'transactions', byLastFour),
  rows('Transactions with this error', 'transactions', byError),
  rows('Stored card by its token', 'stored_cards', (query) => ['token', query]),
  { title: 'Request', find: request },
  { title: 'Rejected requests by payment ref', find: rejections },
  { title: 'Deliveries', find: deliveries },
  rows('Refund with this id', 'refunds', byId),
  rows('Subscription with this id', 'subscriptions', byId),
  rows('Plan with this id', 'plans', byId),
  rows('Customer with this id', 'customers', byId),
  rows('Stored card with this id', 'stored_cards', byId),
]

/** Searches for parts of a text, if no whole value was found. */
const PART_SEARCHES: readonly Search[] = [
  parts('Payments with this text in the order', 'transactions', 'payment_ref'),
  parts('Payments with this text in the card holder', 'transactions', 'card_holder'),
  parts('Customers with this text in the ref', 'customers', 'ref'),
  parts('Refunds with this text in the reason', 'refunds', 'reason'),
  parts('Plans with this text in the name', 'plans', 'name'),
]

/** Finds a request by the X-Request-Id of its response. */
async function request(visit: MerchantVisit, query: string, { offset }: ResultRange) {
  const { dependencies, merchant, home, db } = visit
  if (offset > 0 || !/^[\da-f]{8}-[\da-f-]{27}$/i.test(query)) return NOTHING
  await dependencies.keptRequests.settle()
  const row = await findOne(db, 'requests', { request_id: query.toLowerCase() })
  return row?.merchant_id === merchant.id ? requestTable(home, [row]) : NOTHING
}

/** Finds rejected requests by the payment_ref that they sent. */
async function rejections(visit: MerchantVisit, query: string, { offset, limit }: ResultRange) {
  const { dependencies, merchant, home, db } = visit
  await dependencies.keptRequests.settle()
  const rejected = await findRequests(db, { merchantId: merchant.id, refused: true })
  const found = rejected.filter((row) => readContents(row).sent?.payment_ref === query)
  return requestTable(home, found.slice(offset, offset + limit))
}

const requestTable = (home: string, found: readonly RequestRow[]): Table => ({
  heads: ['Id', 'Request', 'Answer'],
  rows: found.map(({ request_id, method, route, status: answer }) => [
    link(request_id, `${home}/requests/${request_id}`),
    toCell(`${method} ${route ?? ''}`),
    status(String(answer ?? 'gone')),
  ]),
})

/** Finds deliveries by the webhook-id that a shop received, or by the id of an event. */
async function deliveries(visit: MerchantVisit, query: string, place: ResultRange): Promise<Table> {
  if (!/^(?:msg|evt)_[\da-f]{32}(?:_\d{1,9})?$/.test(query)) return NOTHING
  const where = {
    merchant_id: visit.merchant.id,
    event_id: query.replace(/^msg_([0-9a-f]{32})_\d+$/, 'evt_$1'),
    message_id: query.startsWith('msg_') ? query : undefined,
  }
  const range = { ...place, newestFirst: true }
  return deliveryTable(visit, await findAll(visit.db, 'webhook_deliveries', where, range))
}
