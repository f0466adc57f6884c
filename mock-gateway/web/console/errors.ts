import { entryByName } from '../../domain/errors/errors.ts'
import { wireTime } from '../../serializers/time.ts'
import { type ErrorGroup, groupErrors, KEPT_REQUESTS } from '../../storage/requests.ts'
import { html } from '../pages/html.ts'
import { type Cell, link, longText, plain, time } from './cells.ts'
import { emptyState } from './design/empty.ts'
import { table } from './design/table.ts'
import { everybody, type OwnerOf, oneMerchant } from './owner.ts'
import { callOf, homeOf, merchantOf } from './requests.ts'
import type { ConsolePage, ConsoleVisit } from './visit.ts'

/** Page of the errors in a merchant's requests, the latest first. */
export const ERRORS_PAGE = pageOf(oneMerchant, 'Errors')

/** Page of the errors in all requests, including wrong logins. */
export const ALL_ERRORS_PAGE = pageOf(everybody, 'All errors')

const HEADS = ['Error', 'Call', 'Count', 'First', 'Last', 'How to fix it', 'Newest']

function pageOf<Who extends ConsoleVisit>(ownerOf: OwnerOf<Who>, title: string): ConsolePage<Who> {
  return {
    path: '/errors',
    section: 'errors',
    async show(visit) {
      const { dependencies, root } = visit
      const { merchantId, heads } = ownerOf(visit)
      await dependencies.keptRequests.settle()
      const groups = await groupErrors(dependencies.database.db, merchantId)
      return {
        title,
        live: ['requests'],
        body: html`<p class="quiet">Rejected requests among the last ${KEPT_REQUESTS.most}, grouped by error and call.</p>
${
  groups.length > 0
    ? table({
        heads: [...HEADS, ...heads],
        rows: groups.map((group) => [
          ...rowOf(group, root),
          ...heads.map(() => merchantOf(group.merchantId, root)),
        ]),
      })
    : emptyState('No request was rejected.')
}`,
      }
    },
  }
}

function rowOf(group: ErrorGroup, root: string): Cell[] {
  const { error, count, firstAt, lastAt, newest } = group
  const home = homeOf(group.merchantId, root)
  const entry = entryByName(error)
  const docs = `${root.replace(/\/console$/, '')}/docs`
  return [
    entry ? link(entry.code, `${docs}/errors/${entry.code}`) : plain(''),
    link(callOf(newest), `${home}/requests?${groupQuery(group)}`),
    { ...plain(count), number: true },
    time(wireTime(firstAt)),
    time(wireTime(lastAt)),
    { ...longText(newest.explain ?? entry?.en ?? ''), note: error },
    link('Show', `${home}/requests/${newest.request_id}`),
  ]
}

/** Builds the query that selects a group on the page of requests. */
export const groupQuery = ({ error, method, route }: ErrorGroup) =>
  String(new URLSearchParams({ error, method, route: route ?? '' }))
