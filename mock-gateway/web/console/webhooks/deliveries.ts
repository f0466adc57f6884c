import { readDeliveryFilter } from '../../../operations/deliveries.ts'
import { type Parameters, pick, text, yesOrNo } from '../../../parsing/parameters/parameters.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import { findAttempts } from '../../../storage/webhook-attempts.ts'
import {
  countDeliveries,
  type DeliveryFilter,
  findDeliveries,
} from '../../../storage/webhook-deliveries.ts'
import {
  removeDelivery,
  requireDelivery,
  retryNow,
  sendAgain,
} from '../../../webhooks/administer.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { filterForm, pager } from '../parts/filters.ts'
import { option, tokenField } from '../parts/forms.ts'
import { labelOf } from '../parts/lists.ts'
import { ofNewest, paged } from '../parts/paging.ts'
import { emptyState } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
} from '../visit.ts'
import { compareParts } from './attempts.ts'
import { ATTEMPTS, ownOf, showDelivery } from './delivery-page.ts'
import { deliveryTable, FAILED, targetOf } from './delivery-table.ts'

/** Pages of sent and pending webhooks. */
export const DELIVERY_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/webhooks', section: 'webhooks', show: list },
  { path: '/webhooks/:id', section: 'webhooks', show: showDelivery },
  { path: '/webhooks/:id/compare', section: 'webhooks', show: compareAttempts },
]

export const DELIVERY_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/webhooks/send',
    section: 'webhooks',
    async act(visit) {
      const { sent, filter, address } = readFilter(visit)
      if (!yesOrNo(pick(visit.parameters, ['sure']), 'sure'))
        return askFirst(visit, sent, filter, address)
      return {
        to: address,
        done: 'all_sent_again',
        count: await sendAgain(visit.dependencies.webhooks, filter),
      }
    },
  },
  {
    path: '/webhooks/:id/send',
    async act(visit) {
      const filter = ownOf(visit)
      const { id } = await requireDelivery(visit.dependencies.webhooks, filter)
      const count = await sendAgain(visit.dependencies.webhooks, filter)
      return { to: `/webhooks/${id}`, done: count > 0 ? 'sent_again' : 'sent_already' }
    },
  },
  {
    path: '/webhooks/:id/retry',
    async act(visit) {
      await retryNow(visit.dependencies.webhooks, ownOf(visit))
      return { to: `/webhooks/${visit.named.id}`, done: 'retried' }
    },
  },
  {
    path: '/webhooks/:id/remove',
    async act(visit) {
      await removeDelivery(visit.dependencies.webhooks, ownOf(visit))
      return { to: '/webhooks', done: 'removed' }
    },
  },
]

/** Maximum number of deliveries for one press, see `sendAgain`. */
const SENT_AT_ONCE = 1_000

const TARGETS_SHOWN = 5

/** Filters of deliveries, with their values if there are few. */
const FILTERS = {
  trigger: [],
  status: ['pending', 'delivered', FAILED],
  transaction_id: [],
} as const

/** Returns the selected deliveries, always the merchant's own, and the address of their list. */
function readFilter({ merchant, parameters }: MerchantVisit) {
  const sent = filtersIn(parameters)
  const wantsFailed = sent.status === FAILED
  const wanted = { ...sent, ...(wantsFailed && { status: 'failed' }) }
  const filter = readDeliveryFilter(merchant.id, wanted)
  const query = String(new URLSearchParams(sent))
  return {
    sent,
    filter: wantsFailed ? { ...filter, statuses: ['failed', 'dead'] as const } : filter,
    address: `/webhooks${query && `?${query}`}`,
  }
}

/** Shows their number before any is sent. */
async function askFirst(
  visit: MerchantVisit,
  sent: Readonly<Record<string, string>>,
  filter: DeliveryFilter,
  address: string,
): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const found = await findDeliveries(dependencies.database.db, filter, {
    limit: SENT_AT_ONCE,
    offset: 0,
  })
  const targets = [...new Set(found.map(targetOf))].slice(0, TARGETS_SHOWN)
  const what = found.length === 1 ? 'delivery' : 'deliveries'
  return {
    title: 'Send again?',
    body: html`<p>${found.length} ${what} will be sent again,
outside the retry schedule and with the same <code>webhook-id</code>.
Deliveries that are being sent now are skipped. The other ones will be sent to:</p>
<ul>${targets.map((target) => html`<li>${target}</li>`)}</ul>
<form method="post" action="${home}/webhooks/send">${tokenField(visit)}
${hiddenFields({ ...sent, sure: 'true' })}<button>Send ${found.length} again</button></form>
<p><a href="${home}${address}">Cancel</a></p>`,
  }
}

const filtersIn = (parameters: Parameters): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(FILTERS).flatMap((name) => {
      const value = text(parameters, name)
      if (value === undefined) return []
      return [[name, value === 'failed' || value === 'dead' ? FAILED : value]]
    }),
  )

async function list(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const { sent, filter, address } = readFilter(visit)
  const clear = Object.keys(sent).length > 0 ? `${home}/webhooks` : null
  const { rows, ...around } = await paged(visit, home + address, (page) =>
    findDeliveries(dependencies.database.db, filter, page),
  )
  const count = await countDeliveries(dependencies.database.db, filter, SENT_AT_ONCE + 1)
  return {
    title: 'Deliveries',
    live: ofNewest(around, ['webhooks', 'transactions', 'data']),
    actions: html`<a class="button" href="${home}/webhooks/test">Send a test webhook</a>`,
    body: html`${filterForm(
      Object.entries(FILTERS).map(([name, choices]) => ({
        name,
        label: labelOf(name),
        value: sent[name] ?? '',
        hint: name === 'trigger' ? 'Event, such as payment_error' : '',
        choices,
      })),
      clear,
    )}
${
  rows.length > 0
    ? table({ ...(await deliveryTable(visit, rows)), days: 'webhook' })
    : emptyState(
        'No deliveries found.',
        clear
          ? html`<a href="${clear}">Show all</a>`
          : html`Add a <a href="${home}/webhook_templates">webhook template</a>,
or <a href="${home}/webhooks/test">send a test webhook</a>.`,
      )
}
${pager(around)}
${
  count > 0
    ? html`<form class="bulk" method="post" action="${home}/webhooks/send">${tokenField(visit)}
${hiddenFields(sent)}
<button class="plain">Send ${amountOf(count)} again</button>
</form>`
    : null
}`,
  }
}

/** Names the deliveries that one press sends. */
const amountOf = (count: number): string =>
  count > SENT_AT_ONCE ? `the newest ${SENT_AT_ONCE}` : count === 1 ? 'it' : `these ${count}`

/** Compares two attempts of a delivery: the last two, unless the address names others. */
async function compareAttempts(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies, parameters } = visit
  const row = await requireDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await findAttempts(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const chosen = (name: string, otherwise: number) =>
    attempts.find(({ number }) => String(number) === text(parameters, name)) ??
    attempts.at(otherwise)
  const [left, right] = [chosen('left', -2), chosen('right', -1)]
  if (!left || !right) throw noPage()
  return {
    title: `Attempts of delivery ${row.id}`,
    body: html`<p><a href="${home}/webhooks/${row.id}">Back to the delivery</a></p>
<form class="filters" method="get">
${choiceOf('Left', 'left', left.number, attempts)}
${choiceOf('Right', 'right', right.number, attempts)}
<button>Compare</button></form>
<table class="compare">
<thead><tr>
<th scope="col">Part</th>
<th scope="col">Attempt ${left.number}</th>
<th scope="col">Attempt ${right.number}</th>
</tr></thead>
<tbody>${compareParts(left, right).map(
      (each) => html`
<tr${each.differs ? html` class="differs"` : null}>
<th scope="row">${each.name}
${each.differs ? html`<span class="status waiting">differs</span>` : null}</th>
<td data-head="Attempt ${left.number}">${comparedText(each.left)}</td>
<td data-head="Attempt ${right.number}">${comparedText(each.right)}</td>
</tr>`,
    )}
</tbody>
</table>`,
  }
}

const choiceOf = (
  label: string,
  name: string,
  chosen: number,
  attempts: readonly WebhookAttemptRow[],
): SafeHtml => html`<label>${label} <select name="${name}">
${attempts.map(({ number }) => option(String(number), String(number), String(chosen)))}
</select></label>`

/** Characters of a value that needs no block. */
const SHORT = 60

function comparedText(text: string): SafeHtml | string {
  if (text === '') return html`<span class="quiet">none</span>`
  return text.length < SHORT ? text : html`<pre tabindex="0">${text}</pre>`
}
