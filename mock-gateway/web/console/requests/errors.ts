import { entryByName } from '../../../domain/errors/errors.ts'
import {
  type ErrorGroup,
  failedLogins,
  groupErrors,
  type RequestHead,
} from '../../../storage/requests.ts'
import { html } from '../../pages/html.ts'
import { cell } from '../parts/cell.ts'
import { link, plain, timeAt } from '../parts/cells.ts'
import { everybody, type OwnerOf, oneMerchant } from '../parts/owner.ts'
import { emptyState, withLinks } from '../parts/problem.ts'
import { type Column, fill, table } from '../parts/table.ts'
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
      const { merchantId, home } = ownerOf(visit)
      const all = groupColumns(visit)
      const columns = merchantId === undefined ? all : all.slice(0, -1)
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
${groups.length > 0 ? html`<div class="titled">${table(fill(columns, groups, home))}</div>` : null}
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
${cell(timeAt(newest.created_at))}</p>
<p>${newest.explain}</p>
<p>Correct the password in your shop, or <a href="${home}/settings">set a new one</a>.</p>
</section>
`

const groupColumns = ({ root, dependencies }: ConsoleVisit): readonly Column<ErrorGroup>[] => [
  [
    'Requests',
    (group) => link(group.count, `${homeOf(group.merchantId, root)}/requests?${groupQuery(group)}`),
    'first-end',
  ],
  [
    'Error',
    ({ error, count, firstAt, newest }) => {
      const entry = entryByName(error)
      const name = entry
        ? html`<a href="${root.replace(/\/console$/, '')}/docs/errors/${entry.code}">${entry.code} ${error}</a>`
        : error
      const advice =
        newest.explain && withLinks(newest.explain, new URL(root, dependencies.addresses.base))
      return {
        text: error,
        content: html`${name}
<details class="note"><summary>${entry?.en ?? 'Advice'}</summary>
${advice && html`<p>${advice}</p>`}${count > 1 ? html`<p>First: ${cell(timeAt(firstAt))}</p>` : null}</details>`,
      }
    },
    'first',
  ],
  ['Call', ({ newest }) => plain(callOf(newest)), 'second'],
  [
    'Newest request',
    ({ merchantId, newest, lastAt }) => {
      const at = timeAt(lastAt)
      const to = `${homeOf(merchantId, root)}/requests/${newest.request_id}`
      return { text: at.text, number: true, content: html`<a href="${to}">${cell(at)}</a>` }
    },
    'second-end',
  ],
  ['Merchant', ({ merchantId }) => merchantOf(merchantId, homeOf(merchantId, root))],
]

/** Builds the query that selects a group on the page of requests. */
const groupQuery = ({ error, method, route }: ErrorGroup) =>
  String(new URLSearchParams({ error, method, route: route ?? 'none' }))
