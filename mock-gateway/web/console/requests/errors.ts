import { entryByName } from '../../../domain/errors/errors.ts'
import { type ErrorGroup, failedLogins, groupErrors } from '../../../storage/requests.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { cell, link, longText, plain, timeAt } from '../parts/cells.ts'
import { type FoundRows, type List, listPages, type Range } from '../parts/list.ts'
import type { Column } from '../parts/table.ts'
import { type ConsoleVisit, findDocs, type MerchantVisit } from '../visit.ts'
import { createMerchantCell, formatCall, getHome, shortenReason } from './requests.ts'

/** A group of rejected requests. */
interface ListedGroup extends ErrorGroup {
  /** Path of its merchant's pages. */
  readonly home: string
}

const COLUMNS: readonly Column<ListedGroup>[] = [
  [
    'Requests',
    ({ count, error, method, route, home }) => ({
      ...link(
        count,
        `${home}/requests?${new URLSearchParams({ error, method, route: route ?? 'none' })}`,
      ),
      number: true,
    }),
    'first-end',
  ],
  [
    'Error',
    ({ error, home }) => {
      const entry = entryByName(error)
      return entry
        ? {
            ...link(`${entry.code} ${error}`, `${findDocs(home)}/errors/${entry.code}`),
            note: entry.en,
          }
        : plain(error)
    },
    'first',
  ],
  ['How to fix it', ({ newest }) => longText(shortenReason(newest.explain ?? '')), 'third'],
  ['Call', ({ newest }) => plain(formatCall(newest)), 'second'],
  ['First', ({ count, firstAt }) => (count > 1 ? timeAt(firstAt) : plain(''))],
  [
    'Newest request',
    ({ newest, lastAt, home }) => {
      const at = timeAt(lastAt)
      return {
        ...at,
        content: html`<a href="${home}/requests/${newest.request_id}">${cell(at)}</a>`,
      }
    },
    'second-end',
  ],
]

async function findGroups(
  { dependencies, root }: ConsoleVisit,
  merchantId: number | undefined,
  { limit, offset }: Range,
): Promise<FoundRows<ListedGroup>> {
  await dependencies.keptRequests.settle()
  const groups = await groupErrors(dependencies.database.db, merchantId)
  return {
    rows: groups
      .slice(offset, offset + limit)
      .map((group) => ({ ...group, home: getHome(group.merchantId, root) })),
    total: groups.length,
  }
}

/** Renders the failed logins with a merchant's id. Only the administrator sees their requests. */
async function loginSection({
  dependencies,
  merchant,
  home,
}: MerchantVisit): Promise<SafeHtml | null> {
  const [newest, ...older] = await failedLogins(dependencies.database.db, merchant.id)
  return newest
    ? html`<section id="logins" data-key="logins">
<h2>Failed logins <span class="quiet">${older.length + 1}</span></h2>
<p class="quiet">Requests with the id of this merchant and a wrong password, last
${cell(timeAt(newest.created_at))}</p>
<p>${newest.explain}</p>
<p>Correct the password in your shop, or <a href="${home}/settings">set a new one</a>.</p>
</section>`
    : null
}

const ERRORS = {
  path: 'errors',
  section: 'errors',
  one: 'error',
  live: ['requests'],
  note: () =>
    html`<p class="quiet">Stored rejected requests, grouped by error and call, the most frequent first.</p>`,
} as const satisfies Partial<List<ConsoleVisit, ListedGroup>>

/** Pages of the errors in a merchant's requests. */
export const ERROR_PAGES = listPages<MerchantVisit, ListedGroup>({
  ...ERRORS,
  title: 'Errors',
  columns: COLUMNS,
  find: (visit, _sent, range) => findGroups(visit, visit.merchant.id, range),
  after: loginSection,
})

/** Pages of the errors in all requests, including wrong logins. */
export const ALL_ERROR_PAGES = listPages<ConsoleVisit, ListedGroup>({
  ...ERRORS,
  title: 'All errors',
  columns: [
    ...COLUMNS,
    ['Merchant', ({ merchantId, home }) => createMerchantCell(merchantId, home)],
  ],
  find: (visit, _sent, range) => findGroups(visit, undefined, range),
})
