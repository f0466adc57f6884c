import { findEntryByName } from '../../../domain/errors/errors.ts'
import { listUnusedParameters, type Notice } from '../../../domain/notices.ts'
import { readYesOrNo } from '../../../parsing/parameters/parameters.ts'
import {
  type ErrorGroup,
  findFailedLogins,
  groupErrors,
  KEPT_REQUESTS,
  listRequests,
  NOBODY,
  type RequestHead,
  requestContents,
} from '../../../storage/requests.ts'
import { findNamedPayments } from '../../../storage/transactions.ts'
import { withBreaks } from '../../pages/breaks.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  type Cell,
  formatCount,
  formatDescription,
  link,
  longText,
  quantity,
  renderCell,
  renderChoice,
  timeAt,
} from '../parts/cells.ts'
import type { Sent } from '../parts/filters.ts'
import { type FoundRows, type List, listPages, type Range } from '../parts/list.ts'
import type { Column } from '../parts/table.ts'
import { type ConsoleVisit, findDocs } from '../visit.ts'

interface OwnedRow {
  readonly merchantId: number
  /** Path of its merchant's pages, or the administrator's if it belongs to no merchant. */
  readonly home: string
}

const addOwner = <Row>(row: Row, merchantId: number, root: string): Row & OwnedRow => ({
  ...row,
  merchantId,
  home: merchantId === NOBODY ? root : `${root}/${merchantId}`,
})

/** Creates the pages of a list: for a merchant, and for the administrator about all merchants. */
const createPages = <Row extends OwnedRow>(list: List<ConsoleVisit, Row>) => ({
  own: listPages(list),
  all: listPages({
    ...list,
    title: `All ${list.title.toLowerCase()}`,
    columns: [
      ...list.columns,
      ['Merchant', ({ merchantId, home }) => (merchantId === NOBODY ? '' : link(merchantId, home))],
    ],
  }),
})

interface ListedRequest extends RequestHead, OwnedRow {
  readonly path: string
  readonly notices: readonly Notice[]
  /** Reference of its payment, or the one that a rejected request sent. */
  readonly order: string | undefined
}

/** Characters of a path that may break inside a word. */
const LONG_PATH = 60

const REQUEST_COLUMNS: readonly Column<ListedRequest>[] = [
  [
    'Request',
    ({ method, path, request_id, home }) => ({
      text: `${method} ${path}`,
      content: html`<a href="${home}/requests/${request_id}"><span class="quiet">${method}</span> ${withBreaks(path)}</a>`,
      ...(path.length > LONG_PATH ? { long: true } : { number: true }),
    }),
    'first',
  ],
  [
    'Answer',
    (request) => {
      const cell = createStatusCell(request)
      const isWarning = cell.tone === 'good' && listUnusedParameters(request.notices).length > 0
      return isWarning ? { ...cell, tone: 'waiting' } : cell
    },
    'first-end',
  ],
  [
    'Reason',
    // Shows code and name, because a client may display either.
    ({ explain, error }) => ({
      ...longText(shortenReason(explain ?? '')),
      note: error && `${findEntryByName(error)?.code ?? ''} ${error}`.trim(),
    }),
    'third',
  ],
  ['ms', ({ duration }) => quantity(Math.round(duration))],
  [
    'Order',
    ({ transaction_id, order }) => (order === undefined ? '' : order || transaction_id),
    'second-end',
  ],
  ['When', ({ created_at }) => timeAt(created_at), 'second'],
]

/** Finds the rejected, or those of one group of errors. `none` stands for no route. */
async function findRequests(
  { dependencies, root, merchant, db }: ConsoleVisit,
  sent: Sent,
  range: Range,
): Promise<FoundRows<ListedRequest>> {
  await dependencies.keptRequests.settle()
  const { error, method, route } = sent
  const filter = {
    merchantId: merchant?.id,
    refused: readYesOrNo(sent, 'refused') || undefined,
    views: readYesOrNo(sent, 'views') ?? false,
    ...{ error, method, route: route === 'none' ? null : route },
  }
  const found = await listRequests(db, filter, range)
  const paid = found.flatMap(({ transaction_id }) => transaction_id ?? [])
  const payments = await findNamedPayments(db, paid)
  const ids = found.map(({ id }) => id)
  const contents = await requestContents(db, ids)
  const rows = found.map((request) => {
    const payment = payments.get(request.transaction_id ?? 0)
    const { path = '', notices = [], sent } = contents.get(request.id) ?? {}
    const ref = sent?.payment_ref === undefined ? undefined : String(sent.payment_ref)
    const order = payment?.merchant_id === request.merchant_id ? payment.payment_ref : ref
    return addOwner({ ...request, path, notices, order }, request.merchant_id, root)
  })
  return { rows }
}

const CHOICES = [
  ['Shop', '?'],
  ['Shop and payers', '?views=true'],
] as const

/** Pages of the latest requests. Those of all merchants include wrong logins. */
export const REQUEST_LISTS = createPages<ListedRequest>({
  path: 'requests',
  title: 'Requests',
  one: 'request',
  days: 'request',
  live: ['requests'],
  hidden: ['refused', 'views', 'error', 'method', 'route'],
  actions: (_visit, { views }) => renderChoice('Show', CHOICES, views ? '?views=true' : '?'),
  columns: REQUEST_COLUMNS,
  note: () =>
    html`<p class="quiet">The last ${KEPT_REQUESTS.most} requests of each merchant, newest first.
Requests with a failed login belong to no merchant. Only the administrator sees them.</p>`,
  empty: ({ root }) => html`<a href="${findDocs(root)}">The guides</a> show a first call.`,
  find: findRequests,
})

type ListedGroup = ErrorGroup & OwnedRow

const ERROR_COLUMNS: readonly Column<ListedGroup>[] = [
  [
    'Error',
    ({ error, newest, home }) => {
      const { code, en } = findEntryByName(error) ?? {}
      return {
        ...link(
          en && code ? formatDescription(en, code) : error,
          `${home}/requests/${newest.request_id}`,
        ),
        note: error,
      }
    },
    'first',
  ],
  ['Latest reason', ({ newest }) => longText(shortenReason(newest.explain ?? '')), 'third'],
  ['Call', ({ newest }) => ({ text: formatCall(newest), number: true }), 'second'],
  [
    'Requests',
    ({ count, error, method, route, home }) => {
      const group = new URLSearchParams({ error, method, route: route ?? 'none' })
      const wire = String(count)
      return { ...quantity(formatCount(count, 'time')), wire, to: `${home}/requests?${group}` }
    },
    'first-end',
  ],
  ['First', ({ firstAt }) => timeAt(firstAt), 'file'],
  ['Newest', ({ lastAt }) => timeAt(lastAt), 'second-end'],
]

export const ERROR_LISTS = createPages<ListedGroup>({
  path: 'errors',
  title: 'Errors',
  one: 'error',
  live: ['requests'],
  columns: ERROR_COLUMNS,
  note: () =>
    html`<p class="quiet">Stored rejected requests, grouped by error and call, the most frequent first.
<a href="requests?refused=true">All rejected requests, newest first</a></p>`,
  async find({ dependencies, merchant, root, db }, _sent, { limit, offset }) {
    await dependencies.keptRequests.settle()
    const groups = await groupErrors(db, merchant?.id)
    const rows = groups.slice(offset, offset + limit)
    return {
      rows: rows.map((group) => addOwner(group, group.merchantId, root)),
      total: groups.length,
    }
  },
  after: loginSection,
})

/** Renders the failed logins with a merchant's id. Only the administrator sees their requests. */
async function loginSection({ db, merchant, home }: ConsoleVisit): Promise<SafeHtml | null> {
  const logins = merchant ? await findFailedLogins(db, merchant.id) : []
  const [newest] = logins
  return newest
    ? html`<section id="logins" data-key="logins">
<h2>Failed logins <span class="quiet">${logins.length}</span></h2>
<p class="quiet">Requests with the id of this merchant and a wrong password, last
${renderCell(timeAt(newest.created_at))}</p>
<p>${newest.explain}</p>
<p>Correct the password in your shop, or <a href="${home}/api_keys">set a new one</a>.</p>
</section>`
    : null
}

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

export const createStatusCell = ({
  status,
  error,
}: Pick<RequestHead, 'status' | 'error'>): Cell => ({
  text: String(status ?? 'disconnected'),
  tone: status === null ? 'off' : status < 400 && error === null ? 'good' : 'bad',
})
