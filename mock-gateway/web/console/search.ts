import { entryByCode, entryByName } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import { looseAmount } from '../../domain/money/money.ts'
import { text } from '../../requests/parameters/parameters.ts'
import { findRequest } from '../../storage/requests.ts'
import { type Sought, searchDeliveries, searchRows } from '../../storage/search.ts'
import { link, plain, status } from './cells.ts'
import { deliveryTable } from './deliveries.ts'
import { type Table, tableOf } from './lists.ts'
import type { ResourceName } from './resources.ts'
import type { MerchantVisit, Page } from './visit.ts'

/** Finds whatever somebody has typed: nobody has to say what it is. */
export const SEARCH_PAGE: Page<MerchantVisit> = {
  path: '/search',
  async show(visit) {
    const sought = (text(visit.parameters, 'q') ?? '').trim().slice(0, LONGEST)
    const found = sought === '' ? [] : (await Promise.all(SEARCHES.map((search) => search(visit, sought)))).flat()
    const entry = sought === '' ? undefined : errorOf(sought)
    return {
      view: 'search',
      title: 'Search',
      data: {
        sought,
        error: entry ? { code: entry.code, name: entry.name, text: entry.en } : null,
        lists: found.map(({ title, heads, rows }) => ({
          title,
          heads,
          rows: rows.slice(0, MOST),
          total: rows.length > MOST ? `${MOST}+` : rows.length,
          all: null,
        })),
      },
    }
  },
}

/** Rows of each kind that are shown. */
const MOST = 20

/** Characters of the longest text that something is found by. */
const LONGEST = 255

/** What was found of one kind. */
interface Found extends Table {
  readonly title: string
}

type Search = (visit: MerchantVisit, sought: string) => Promise<readonly Found[]>

/** Looks through a kind of object, where what was typed can be such a thing. */
const rows =
  (title: string, name: ResourceName, read: (sought: string) => Sought | undefined): Search =>
  async (visit, typed) => {
    const sought = read(typed)
    if (!sought) return []
    const found = await searchRows(visit.dependencies.database.db, name, visit.merchant.id, sought, MOST + 1)
    return found.length === 0 ? [] : [{ title, ...(await tableOf(visit, name, found)) }]
  }

const byId = (sought: string): Sought | undefined => {
  const id = readId(sought)
  return id === undefined ? undefined : ['id', id]
}

const byLastFour = (sought: string): Sought | undefined => (/^\d{4}$/.test(sought) ? ['last_four', sought] : undefined)

/** `10`, `10.00` or `10,00`. */
const byAmount = (sought: string): Sought | undefined => {
  const amount = /^\d{1,12}(?:[.,]\d{1,2})?$/.test(sought) ? looseAmount(sought.replace(',', '.')) : undefined
  return amount === undefined ? undefined : ['amount', amount]
}

const errorOf = (sought: string) => entryByName(sought) ?? entryByCode(readId(sought) ?? 0)

const byError = (sought: string): Sought | undefined => {
  const entry = errorOf(sought)
  return entry && ['error_name', entry.name]
}

/** Everything that is looked for, in the order in which it is shown. */
const SEARCHES: readonly Search[] = [
  rows('Transaction of this id', 'transactions', byId),
  rows('Transactions by payment ref', 'transactions', (sought) => ['payment_ref', sought]),
  rows('Customers by ref', 'customers', (sought) => ['ref', sought]),
  rows('Transactions of this amount', 'transactions', byAmount),
  rows('Transactions by the end of the card', 'transactions', byLastFour),
  rows('Transactions with this error', 'transactions', byError),
  rows('Stored card by its token', 'stored_cards', (sought) => ['token', sought]),
  request,
  deliveries,
  rows('Refund of this id', 'refunds', byId),
  rows('Subscription of this id', 'subscriptions', byId),
  rows('Plan of this id', 'plans', byId),
  rows('Customer of this id', 'customers', byId),
  rows('Stored card of this id', 'stored_cards', byId),
]

/** By the X-Request-Id that an answer had. */
async function request({ dependencies, merchant, home }: MerchantVisit, sought: string): Promise<readonly Found[]> {
  if (!/^[\da-f]{8}-[\da-f-]{27}$/i.test(sought)) return []
  await dependencies.keptRequests.settle()
  const row = await findRequest(dependencies.database.db, sought.toLowerCase())
  if (row?.merchant_id !== merchant.id) return []
  const cells = [
    link(row.request_id, `${home}/requests/${row.request_id}`),
    plain(`${row.method} ${row.route ?? ''}`),
    status(String(row.status ?? 'gone')),
  ]
  return [{ title: 'Request', heads: ['Id', 'Request', 'Answer'], rows: [cells] }]
}

/** By the webhook-id that a shop has received, or by the id of its event. */
async function deliveries({ dependencies, merchant, home }: MerchantVisit, sought: string): Promise<readonly Found[]> {
  if (!/^(?:msg|evt)_[\da-f]{32}(?:_\d{1,9})?$/.test(sought)) return []
  const found = await searchDeliveries(dependencies.database.db, merchant.id, sought, MOST + 1)
  return found.length === 0 ? [] : [{ title: 'Deliveries', ...deliveryTable(found, home) }]
}
