import { entryByName } from '../../domain/errors/errors.ts'
import { wireTime } from '../../presentation/time.ts'
import { yesOrNo } from '../../requests/parameters/parameters.ts'
import type { RecentRequest } from '../http/recent-requests.ts'
import { type Cell, link, plain, type Tone, time } from './cells.ts'
import type { MerchantVisit, Page, View, Visit } from './visit.ts'

/** What clients of a merchant have asked lately. */
export const REQUESTS_PAGE: Page<MerchantVisit> = {
  path: '/requests',
  section: 'requests',
  show: async (visit) => shown(visit, visit.merchant.id, 'Requests'),
}

/** What anybody has asked: here are those, too, whose login was wrong. */
export const ALL_REQUESTS_PAGE: Page<Visit> = {
  path: '/requests',
  section: 'requests',
  show: async (visit) => shown(visit, undefined, 'Requests of all'),
}

/** Requests on the page. */
const MOST = 200

function shown({ dependencies, parameters, root }: Visit, merchantId: number | undefined, title: string): View {
  const onlyRefused = yesOrNo({ refused: parameters.refused }, 'refused') ?? false
  const requests = dependencies.recentRequests.of(merchantId).filter(({ error }) => !onlyRefused || error !== null)
  return {
    view: 'requests',
    live: ['requests'],
    title,
    data: {
      onlyRefused,
      of_all: merchantId === undefined,
      heads: [...REQUEST_HEADS, ...(merchantId === undefined ? ['Merchant'] : [])],
      rows: requests
        .slice(0, MOST)
        .map((request) => [...requestRow(request), ...(merchantId === undefined ? [merchantOf(request, root)] : [])]),
    },
  }
}

/** The newest that were refused. */
export function newestRefused({ dependencies, merchant, home }: MerchantVisit, most: number) {
  const refused = dependencies.recentRequests.of(merchant.id).filter(({ error }) => error !== null)
  return {
    title: 'Refused requests',
    heads: REQUEST_HEADS,
    rows: refused.slice(0, most).map(requestRow),
    total: refused.length,
    all: refused.length > most ? `${home}/requests?refused=true` : null,
  }
}

const REQUEST_HEADS = ['When', 'Request', 'Answer', 'Why', 'ms']

const requestRow = ({ at, method, route, status, error, explain, duration_ms }: RecentRequest): Cell[] => [
  time(wireTime(at)),
  plain(`${method} ${route ?? (status === 404 ? NOTHING_THERE : NOT_LOOKED_FOR)}`),
  { ...plain(status ?? 'gone'), tone: toneOf(status, error) },
  { ...plain(explain), note: error === null ? null : numbered(error) },
  { ...plain(Math.round(duration_ms)), number: true },
]

/** A client may have shown either. */
const numbered = (error: string): string => `${entryByName(error)?.code ?? ''} ${error}`.trim()

const NOTHING_THERE = '(nothing there)'
/** As with a wrong login, which is refused before its address counts. */
const NOT_LOOKED_FOR = '(refused before)'

const toneOf = (status: number | null, error: string | null): Tone =>
  status === null ? 'off' : status < 400 && error === null ? 'good' : 'bad'

const merchantOf = ({ merchant_id }: RecentRequest, root: string): Cell =>
  merchant_id === null ? plain('') : link(merchant_id, `${root}/${merchant_id}`)
