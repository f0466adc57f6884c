import { entryByName } from '../../../domain/errors/errors.ts'
import { wireTime } from '../../../serializers/time.ts'
import {
  type ErrorGroup,
  failedLogins,
  groupErrors,
  type RequestHead,
} from '../../../storage/requests.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { cell } from '../parts/cell.ts'
import { time } from '../parts/cells.ts'
import { everybody, type OwnerOf, oneMerchant } from '../parts/owner.ts'
import { emptyState, withLinks } from '../parts/problem.ts'
import type { ConsolePage, ConsoleVisit } from '../visit.ts'
import { callOf, homeOf, merchantOf } from './requests.ts'

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
        body: html`<p class="quiet">Stored rejected requests, grouped by error and call, the most frequent first.
Open a description to see how to fix it.</p>
${merchantId === undefined ? null : loginSection(logins, homeOf(merchantId, visit.root))}
${groups.length > 0 ? groupTable(groups, visit, heads.length > 0) : null}
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

const groupTable = (
  groups: readonly ErrorGroup[],
  visit: ConsoleVisit,
  showsMerchant: boolean,
): SafeHtml => html`<div class="wide"><table class="compact titled">
<thead><tr>
<th scope="col">Requests</th>
<th scope="col">Error</th>
<th scope="col">Call</th>
<th scope="col">Newest request</th>
${showsMerchant ? html`<th scope="col">Merchant</th>` : null}
</tr></thead>
<tbody>${groups.map((group) => groupRow(group, visit, showsMerchant))}
</tbody>
</table></div>`

/** Renders a group: its error with folded advice, and links to its requests. */
function groupRow(
  group: ErrorGroup,
  { root, dependencies }: ConsoleVisit,
  showsMerchant: boolean,
): SafeHtml {
  const { merchantId, error, count, firstAt, lastAt, newest } = group
  const home = homeOf(merchantId, root)
  const entry = entryByName(error)
  const docs = `${root.replace(/\/console$/, '')}/docs`
  const name = entry
    ? html`<a href="${docs}/errors/${entry.code}">${entry.code} ${error}</a>`
    : error
  const advice =
    newest.explain && withLinks(newest.explain, new URL(root, dependencies.addresses.base))
  const first = count > 1 ? html`<p>First: ${cell(time(wireTime(firstAt)))}</p>` : null
  return html`
<tr data-key="${merchantId} ${groupQuery(group)}">
<td data-head="Requests" class="number first-end">
<a href="${home}/requests?${groupQuery(group)}"
  aria-label="All ${count} requests with this error">${count}</a></td>
<td data-head="Error" class="first">${name}
<details class="note"><summary>${entry?.en ?? 'Advice'}</summary>
${advice && html`<p>${advice}</p>`}${first}</details></td>
<td data-head="Call" class="second">${callOf(newest)}</td>
<td data-head="Newest request" class="number second-end">
<a href="${home}/requests/${newest.request_id}">${cell(time(wireTime(lastAt)))}</a></td>
${showsMerchant ? html`<td data-head="Merchant">${cell(merchantOf(merchantId, root))}</td>` : null}
</tr>`
}

/** Builds the query that selects a group on the page of requests. */
const groupQuery = ({ error, method, route }: ErrorGroup) =>
  String(new URLSearchParams({ error, method, route: route ?? '' }))
