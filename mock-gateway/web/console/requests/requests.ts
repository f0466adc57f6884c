import { entryByName } from '../../../domain/errors/errors.ts'
import { type Notice, unusedParametersIn } from '../../../domain/notices.ts'
import { yesOrNo } from '../../../parsing/parameters/parameters.ts'
import {
  KEPT_REQUESTS,
  listRequests,
  NOBODY,
  type RequestHead,
  requestContents,
} from '../../../storage/requests.ts'
import { namedPayments } from '../../../storage/transactions.ts'
import { html } from '../../pages/html.ts'
import {
  type Cell,
  link,
  longText,
  orderLink,
  plain,
  quantity,
  type Tone,
  timeAt,
} from '../parts/cells.ts'
import type { Sent } from '../parts/filters.ts'
import { type FoundRows, type List, listPages, type Range } from '../parts/list.ts'
import type { Column } from '../parts/table.ts'
import { type ConsoleVisit, findDocs, type MerchantVisit } from '../visit.ts'

/** A request of the list. */
interface ListedRequest extends RequestHead {
  readonly path: string
  readonly notices: readonly Notice[]
  /** Path of its merchant's pages. */
  readonly home: string
  /** Reference of its payment; undefined if the merchant has no such payment. */
  readonly order: string | undefined
}

/** Characters of a path that may break inside a word. */
const LONG_PATH = 60

const COLUMNS: readonly Column<ListedRequest>[] = [
  [
    'Request',
    ({ method, path, request_id, home }) => ({
      ...link(`${method} ${path}`, `${home}/requests/${request_id}`),
      ...(path.length > LONG_PATH ? { long: true } : { number: true }),
    }),
    'first',
  ],
  [
    'Answer',
    ({ status, error, notices }) => ({
      ...plain(status ?? 'disconnected'),
      tone: judgedTone(status, error, notices),
    }),
    'first-end',
  ],
  [
    'Reason',
    ({ explain, error }) => ({
      ...longText(shortenReason(explain ?? '')),
      note: error && numbered(error),
    }),
    'third',
  ],
  ['ms', ({ duration }) => quantity(Math.round(duration))],
  [
    'Order',
    ({ transaction_id, order, home }) =>
      transaction_id === null || order === undefined
        ? plain('')
        : orderLink(transaction_id, order, home),
    'second-end',
  ],
  ['When', ({ created_at }) => timeAt(created_at), 'second'],
]

/** Finds the rejected, or those of one group of errors. `none` stands for no route. */
async function findRequests(
  { dependencies, root }: ConsoleVisit,
  merchantId: number | undefined,
  sent: Sent,
  range: Range,
): Promise<FoundRows<ListedRequest>> {
  const { keptRequests, database } = dependencies
  await keptRequests.settle()
  const { error, method, route } = sent
  const found = await listRequests(
    database.db,
    {
      merchantId,
      refused: yesOrNo(sent, 'refused') || undefined,
      views: yesOrNo(sent, 'views') ?? false,
      error,
      method,
      route: route === 'none' ? null : route,
    },
    range,
  )
  const payments = await namedPayments(
    database.db,
    found.flatMap(({ transaction_id }) => transaction_id ?? []),
  )
  const contents = await requestContents(
    database.db,
    found.map(({ id }) => id),
  )
  return {
    rows: found.map((request) => {
      const payment = payments.get(request.transaction_id ?? 0)
      const { path = '', notices = [] } = contents.get(request.id) ?? {}
      return {
        ...request,
        path,
        notices,
        home: getHome(request.merchant_id, root),
        order: payment?.merchant_id === request.merchant_id ? payment.payment_ref : undefined,
      }
    }),
  }
}

const REQUESTS = {
  path: 'requests',
  section: 'requests',
  one: 'request',
  days: 'request',
  live: ['requests'],
  chips: [
    { text: 'rejected', name: 'refused', value: 'true' },
    { text: 'with requests of payers', name: 'views', value: 'true' },
  ],
  hidden: ['error', 'method', 'route'],
  empty: ({ root }: ConsoleVisit) =>
    html`<a href="${findDocs(root)}">The guides</a> show a first call.`,
} as const satisfies Partial<List<ConsoleVisit, ListedRequest>>

/** Pages of a merchant's latest requests. */
export const REQUEST_PAGES = listPages<MerchantVisit, ListedRequest>({
  ...REQUESTS,
  title: 'Requests',
  columns: COLUMNS,
  note: () =>
    html`<p class="quiet">The last ${KEPT_REQUESTS.most} requests, newest first.
Requests with a failed login belong to no merchant. Only the administrator sees them.</p>`,
  find: (visit, sent, range) => findRequests(visit, visit.merchant.id, sent, range),
})

/** Pages of all requests, including wrong logins. */
export const ALL_REQUEST_PAGES = listPages<ConsoleVisit, ListedRequest>({
  ...REQUESTS,
  title: 'All requests',
  columns: [
    ...COLUMNS.slice(0, -1),
    ['Merchant', ({ merchant_id, home }) => createMerchantCell(merchant_id, home)],
    ...COLUMNS.slice(-1),
  ],
  find: (visit, sent, range) => findRequests(visit, undefined, sent, range),
})

/** Marks an accepted request with an unused parameter. */
function judgedTone(status: number | null, error: string | null, notices: readonly Notice[]): Tone {
  const tone = chooseTone(status, error)
  return tone === 'good' && unusedParametersIn(notices).length > 0 ? 'waiting' : tone
}

/** Names the call of a request. */
export const formatCall = ({
  method,
  route,
  status,
}: Pick<RequestHead, 'method' | 'route' | 'status'>): string =>
  // For example a wrong login is rejected before its route is found.
  `${method} ${route ?? (status === 404 ? '(unknown address)' : '(rejected before routing)')}`

/**
 * Returns the first sentence of an explanation, or two if the first is short. The page of the
 * request has all of them.
 */
export const shortenReason = (explain: string): string =>
  (/^.{24,}?[.?](?= )/s.exec(explain)?.[0] ?? explain).replaceAll('`', '')

/** Shows code and name, because a client may display either. */
const numbered = (error: string): string => `${entryByName(error)?.code ?? ''} ${error}`.trim()

export const chooseTone = (status: number | null, error: string | null): Tone =>
  status === null ? 'off' : status < 400 && error === null ? 'good' : 'bad'

/** Returns the path of a merchant's pages, or the administrator's without a merchant. */
export const getHome = (merchantId: number, root: string): string =>
  merchantId === NOBODY ? root : `${root}/${merchantId}`

/** Links to a merchant; empty for requests of no merchant. */
export const createMerchantCell = (merchantId: number, home: string): Cell =>
  merchantId === NOBODY ? plain('') : link(merchantId, home)
