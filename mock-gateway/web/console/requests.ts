import { entryByName } from '../../domain/errors/errors.ts'
import { wireTime } from '../../presentation/time.ts'
import { yesOrNo } from '../../requests/parameters/parameters.ts'
import { KEPT, listRequests, NOBODY, type RequestFilter, type RequestHead } from '../../storage/requests.ts'
import { type Cell, link, plain, type Tone, time } from './cells.ts'
import type { ConsoleDependencies } from './dependencies.ts'
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

async function shown(
  { dependencies, parameters, root }: Visit,
  merchantId: number | undefined,
  title: string,
): Promise<View> {
  const onlyRefused = yesOrNo({ refused: parameters.refused }, 'refused') ?? false
  const requests = await kept(dependencies, { merchantId, refused: onlyRefused }, MOST)
  const home = ({ merchant_id }: RequestHead) => (merchant_id === NOBODY ? root : `${root}/${merchant_id}`)
  return {
    view: 'requests',
    live: ['requests'],
    title,
    data: {
      onlyRefused,
      of_all: merchantId === undefined,
      heads: [...REQUEST_HEADS, ...(merchantId === undefined ? ['Merchant'] : [])],
      rows: requests.map((request) => [
        ...requestRow(request, home(request)),
        ...(merchantId === undefined ? [merchantOf(request, root)] : []),
      ]),
    },
  }
}

/** The newest that were refused. */
export async function newestRefused({ dependencies, merchant, home }: MerchantVisit, most: number) {
  const refused = await kept(dependencies, { merchantId: merchant.id, refused: true }, KEPT.requests)
  return {
    title: 'Refused requests',
    heads: REQUEST_HEADS,
    rows: refused.slice(0, most).map((request) => requestRow(request, home)),
    total: refused.length,
    all: refused.length > most ? `${home}/requests?refused=true` : null,
  }
}

/** The newest first, that of a moment ago too. */
async function kept({ keptRequests, database }: ConsoleDependencies, filter: RequestFilter, most: number) {
  await keptRequests.settle()
  return listRequests(database.db, filter, most)
}

const REQUEST_HEADS = ['When', 'Request', 'Answer', 'Why', 'ms']

/** @param home where the pages of its merchant are */
const requestRow = (
  { request_id, created_at, method, route, status, error, explain, duration }: RequestHead,
  home: string,
): Cell[] => [
  time(wireTime(created_at)),
  link(`${method} ${route ?? (status === 404 ? NOTHING_THERE : NOT_LOOKED_FOR)}`, `${home}/requests/${request_id}`),
  { ...plain(status ?? 'gone'), tone: toneOf(status, error) },
  { ...plain(explain), note: error === null ? null : numbered(error) },
  { ...plain(Math.round(duration)), number: true },
]

/** A client may have shown either. */
const numbered = (error: string): string => `${entryByName(error)?.code ?? ''} ${error}`.trim()

const NOTHING_THERE = '(nothing there)'
/** As with a wrong login, which is refused before its address counts. */
const NOT_LOOKED_FOR = '(refused before)'

export const toneOf = (status: number | null, error: string | null): Tone =>
  status === null ? 'off' : status < 400 && error === null ? 'good' : 'bad'

const merchantOf = ({ merchant_id }: RequestHead, root: string): Cell =>
  merchant_id === NOBODY ? plain('') : link(merchant_id, `${root}/${merchant_id}`)
