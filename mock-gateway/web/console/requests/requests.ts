import { entryByName } from '../../../domain/errors/errors.ts'
import { type Notice, unusedParametersIn } from '../../../domain/notices.ts'
import { type Parameters, pick, yesOrNo } from '../../../parsing/parameters/parameters.ts'
import { wireTime } from '../../../serializers/time.ts'
import {
  listRequests,
  NOBODY,
  type RequestFilter,
  type RequestHead,
  requestContents,
} from '../../../storage/requests.ts'
import type { RequestContents } from '../../../storage/tables/requests.ts'
import { type NamedPayment, namedPayments } from '../../../storage/transactions.ts'
import { html } from '../../pages/html.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import {
  type Cell,
  link,
  longText,
  orderLink,
  plain,
  quantity,
  type Tone,
  time,
} from '../parts/cells.ts'
import { chipList, pager } from '../parts/filters.ts'
import { ofNewest, paged } from '../parts/paging.ts'
import { emptyState } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import type { ConsolePage, ConsoleView, ConsoleVisit, MerchantVisit } from '../visit.ts'

/** Page of a merchant's latest requests. */
export const REQUESTS_PAGE: ConsolePage<MerchantVisit> = {
  path: '/requests',
  section: 'requests',
  show: async (visit) => showRequests(visit, visit.merchant.id, 'Requests'),
}

/** Page of all requests, including wrong logins. */
export const ALL_REQUESTS_PAGE: ConsolePage<ConsoleVisit> = {
  path: '/requests',
  section: 'requests',
  show: async (visit) => showRequests(visit, undefined, 'All requests'),
}

async function showRequests(
  visit: ConsoleVisit,
  merchantId: number | undefined,
  title: string,
): Promise<ConsoleView> {
  const { dependencies, parameters, root } = visit
  const onlyRefused = yesOrNo({ refused: parameters.refused }, 'refused') ?? false
  const group = groupIn(parameters)
  const all = merchantId === undefined ? `${root}/requests` : `${root}/${merchantId}/requests`
  const views = yesOrNo({ views: parameters.views }, 'views') ?? false
  const { rows, ...around } = await paged(
    visit,
    `${all}${queryOf(onlyRefused, views, group)}`,
    (page) =>
      findRequests(
        dependencies,
        { merchantId, refused: onlyRefused || undefined, views, ...group },
        page,
      ),
  )
  const { db } = dependencies.database
  const payments = await namedPayments(
    db,
    rows.flatMap(({ transaction_id }) => transaction_id ?? []),
  )
  const contents = await requestContents(
    db,
    rows.map(({ id }) => id),
  )
  const docs = `${root.replace(/\/console$/, '')}/docs`
  const home = ({ merchant_id }: RequestHead) => homeOf(merchant_id, root)
  const heads = [
    ...REQUEST_HEADS,
    'Order',
    ...(merchantId === undefined ? ['Merchant'] : []),
    'When',
  ]
  const onlyRejected = {
    text: 'rejected',
    to: `${all}${queryOf(!onlyRefused, views)}`,
    isSet: onlyRefused,
  }
  const withViews = {
    text: 'with requests of payers',
    to: `${all}${queryOf(onlyRefused, !views)}`,
    isSet: views,
  }
  return {
    live: ofNewest(around, ['requests']),
    title,
    body: html`${chipList([onlyRejected, withViews])}
${
  group &&
  html`<p>Only <b>${group.error}, ${callOf({ ...group, status: null })}</b>.
<a href="${all}">Show all</a></p>`
}
<p class="quiet">The last requests, newest first.
${
  merchantId === undefined
    ? null
    : html`Requests with a failed login belong to no merchant.
Only the administrator sees them.`
}</p>
${
  rows.length > 0
    ? table({
        days: 'request',
        heads,
        places: [
          'first',
          'first-end',
          'third',
          null,
          'second-end',
          ...(merchantId === undefined ? [null] : []),
          'second',
        ],
        rows: rows.map((request) => [
          ...requestRow(request, contents.get(request.id), home(request)),
          orderOf(request, payments, home(request)),
          ...(merchantId === undefined ? [merchantOf(request.merchant_id, root)] : []),
          time(wireTime(request.created_at)),
        ]),
      })
    : emptyState(
        `No ${onlyRefused || group ? 'rejected ' : ''}requests yet.`,
        onlyRefused || group
          ? html`<a href="${all}">Show all</a>`
          : html`<a href="${docs}">The guides</a> show a first call.`,
      )
}
${pager(around)}`,
  }
}

/** Builds the query that selects some requests. */
function queryOf(onlyRefused: boolean, views: boolean, group?: ReturnType<typeof groupIn>): string {
  const { error, method, route } = group ?? {}
  const fields = {
    refused: onlyRefused ? 'true' : undefined,
    views: views ? 'true' : undefined,
    error,
    method,
    route: route ?? undefined,
  }
  const query = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
  return query.size > 0 ? `?${query}` : ''
}

/** Reads the group in an address; an invalid one has no requests. */
function groupIn(parameters: Parameters) {
  const { error, method } = pick(parameters, ['error', 'method'])
  if (error === undefined) return undefined
  const written = [error, method, parameters.route].map((each) =>
    typeof each === 'string' && isPlain(each) ? each : '',
  )
  const [name = '', verb = '', route = ''] = written
  return { error: name, method: verb, route: route === '' ? null : route }
}

/** Matches names of errors, methods and routes; other texts are not queried. */
const isPlain = (sent: string) => /^[\x21-\x7e]{1,255}$/.test(sent)

/** Reads requests, the newest first, including those still queued. */
async function findRequests(
  { keptRequests, database }: ConsoleDependencies,
  filter: RequestFilter,
  page: { readonly limit: number; readonly offset: number },
) {
  await keptRequests.settle()
  return listRequests(database.db, filter, page)
}

/** Characters of a path that may break inside a word. */
const LONG_PATH = 60

const REQUEST_HEADS = ['Request', 'Answer', 'Reason', 'ms']

/** @param home path of its merchant's pages */
const requestRow = (
  { request_id, method, status, error, explain, duration }: RequestHead,
  { path = '', notices = [] }: Partial<RequestContents> = {},
  home: string,
): Cell[] => [
  {
    ...link(`${method} ${path}`, `${home}/requests/${request_id}`),
    ...(path.length > LONG_PATH ? { long: true } : { number: true }),
  },
  { ...plain(status ?? 'disconnected'), tone: judgedTone(status, error, notices) },
  { ...longText(reasonOf(explain ?? '')), note: error === null ? null : numbered(error) },
  quantity(Math.round(duration)),
]

/**
 * Links to the payment of a request, by its reference; empty if the merchant has no payment with the
 * id.
 */
function orderOf(
  { transaction_id: id, merchant_id }: Pick<RequestHead, 'transaction_id' | 'merchant_id'>,
  payments: ReadonlyMap<number, NamedPayment>,
  home: string,
): Cell {
  const payment = id === null ? undefined : payments.get(id)
  return id !== null && payment?.merchant_id === merchant_id
    ? orderLink(id, payment.payment_ref, home)
    : plain('')
}

/** Marks an accepted request with an unused parameter. */
function judgedTone(status: number | null, error: string | null, notices: readonly Notice[]): Tone {
  const tone = toneOf(status, error)
  return tone === 'good' && unusedParametersIn(notices).length > 0 ? 'waiting' : tone
}

/** Names the call of a request. */
export const callOf = ({
  method,
  route,
  status,
}: Pick<RequestHead, 'method' | 'route' | 'status'>): string =>
  `${method} ${route ?? (status === 404 ? NOTHING_THERE : NOT_LOOKED_FOR)}`

/**
 * Returns the first sentence of an explanation, or two if the first is short. The page of the
 * request has all of them.
 */
export const reasonOf = (explain: string): string =>
  (/^.{24,}?[.?](?= )/s.exec(explain)?.[0] ?? explain).replaceAll('`', '')

/** Shows code and name, because a client may display either. */
const numbered = (error: string): string => `${entryByName(error)?.code ?? ''} ${error}`.trim()

const NOTHING_THERE = '(unknown address)'
/** For example for a wrong login, which is rejected before its route is found. */
const NOT_LOOKED_FOR = '(rejected before routing)'

export const toneOf = (status: number | null, error: string | null): Tone =>
  status === null ? 'off' : status < 400 && error === null ? 'good' : 'bad'

/** Returns the path of a merchant's pages, or the administrator's without a merchant. */
export const homeOf = (merchantId: number, root: string): string =>
  merchantId === NOBODY ? root : `${root}/${merchantId}`

export const merchantOf = (merchantId: number, root: string): Cell =>
  merchantId === NOBODY ? plain('') : link(merchantId, homeOf(merchantId, root))
