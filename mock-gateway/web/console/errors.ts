import { entryByName } from '../../domain/errors/errors.ts'
import { wireTime } from '../../serializers/time.ts'
import {
  type ErrorGroup,
  failedLogins,
  groupErrors,
  NOBODY,
  type RequestHead,
} from '../../storage/requests.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { time } from './cells.ts'
import { cell } from './design/cell.ts'
import { emptyState } from './design/empty.ts'
import { withLinks } from './design/linked.ts'
import { everybody, type OwnerOf, oneMerchant } from './owner.ts'
import { callOf, homeOf, merchantOf } from './requests.ts'
import type { ConsolePage, ConsoleVisit } from './visit.ts'

/** Page of the errors in a merchant's requests, the latest first. */
export const ERRORS_PAGE = pageOf(oneMerchant, 'Errors')

/** Page of the errors in all requests, including wrong logins. */
export const ALL_ERRORS_PAGE = pageOf(everybody, 'All errors')

function pageOf<Who extends ConsoleVisit>(ownerOf: OwnerOf<Who>, title: string): ConsolePage<Who> {
  return {
    path: '/errors',
    section: 'errors',
    async show(visit) {
      const { dependencies } = visit
      const { merchantId, heads } = ownerOf(visit)
      await dependencies.keptRequests.settle()
      const { db } = dependencies.database
      const groups = await groupErrors(db, merchantId)
      const logins = merchantId === undefined ? [] : await failedLogins(db, merchantId)
      return {
        title,
        live: ['requests'],
        body: html`<p class="quiet">Stored rejected requests, grouped by error and call.</p>
${merchantId === undefined ? null : loginSection(logins, homeOf(merchantId, visit.root))}
${groups.map((group) => sectionOf(group, visit, heads.length > 0))}
${groups.length + logins.length === 0 ? emptyState('No request was rejected.') : null}`,
      }
    },
  }
}

/** Renders the failed logins with a merchant's id. Only the administrator sees their requests. */
const loginSection = ([newest, ...older]: readonly RequestHead[], home: string) =>
  newest &&
  html`<section id="logins" data-key="logins">
<h2>Failed logins <span class="quiet">${older.length + 1}</span></h2>
<p class="quiet">Requests with the id of this merchant and a wrong password, last
${cell(time(wireTime(newest.created_at)))}</p>
<p>${newest.explain}</p>
<p>Correct the password in your shop, or <a href="${home}/settings">set a new one</a>.</p>
</section>
`

/** Renders a group: its error, call and times, the explanation, and links to its requests. */
function sectionOf(
  group: ErrorGroup,
  { root, dependencies }: ConsoleVisit,
  showsMerchant: boolean,
): SafeHtml {
  const { merchantId, error, count, firstAt, lastAt, newest } = group
  const home = homeOf(merchantId, root)
  const entry = entryByName(error)
  const docs = `${root.replace(/\/console$/, '')}/docs`
  const merchant =
    showsMerchant && merchantId !== NOBODY
      ? html`, merchant ${cell(merchantOf(merchantId, root))}`
      : null
  const first = count > 1 ? html`first ${cell(time(wireTime(firstAt)))}, last ` : null
  const heading = entry
    ? html`<a href="${docs}/errors/${entry.code}">Error ${entry.code}</a>: ${entry.en}`
    : error
  const consoleUrl = new URL(root, dependencies.addresses.base)
  return html`<section data-key="${merchantId} ${groupQuery(group)}">
<h2>${heading} <span class="quiet">${count === 1 ? '1 request' : `${count} requests`}</span></h2>
<p class="quiet"><code>${error}</code> at ${callOf(newest)}${merchant},
${first}${cell(time(wireTime(lastAt)))}</p>
${newest.explain && html`<p>${withLinks(newest.explain, consoleUrl)}</p>`}
<p><a href="${home}/requests/${newest.request_id}">Newest request</a> ·
<a href="${home}/requests?${groupQuery(group)}">All requests with this error</a></p>
</section>
`
}

/** Builds the query that selects a group on the page of requests. */
export const groupQuery = ({ error, method, route }: ErrorGroup) =>
  String(new URLSearchParams({ error, method, route: route ?? '' }))
