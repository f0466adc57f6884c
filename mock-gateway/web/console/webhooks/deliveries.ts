import { readDeliveryFilter } from '../../../operations/deliveries.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import { findAttempts } from '../../../storage/webhook-attempts.ts'
import {
  countDeliveries,
  type DeliveryFilter,
  findDeliveries,
} from '../../../storage/webhook-deliveries.ts'
import { requireDelivery, sendAgain } from '../../../webhooks/administer.ts'
import { hiddenFields, html } from '../../pages/html.ts'
import { type Cell, plain } from '../parts/cells.ts'
import { formatLabel, getAddress, type Sent, sentIn } from '../parts/filters.ts'
import { buttonForm, option } from '../parts/forms.ts'
import { listPages } from '../parts/list.ts'
import { buttonAct } from '../parts/operation-form.ts'
import { table } from '../parts/table.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
} from '../visit.ts'
import { comparedParts } from './attempts.ts'
import { ATTEMPTS, filterOwn, showDelivery } from './delivery-page.ts'
import {
  DELIVERY_COLUMNS,
  FAILED,
  type ListedDelivery,
  listedDeliveries,
} from './delivery-table.ts'

/** Filters of deliveries, with their values if there are few. */
const FILTERS = {
  trigger: [],
  status: ['pending', 'delivered', FAILED],
  transaction_id: [],
} as const

/** Maximum number of deliveries for one press, see `sendAgain`. */
const SENT_AT_ONCE = 1_000

/** Pages of sent and pending webhooks. */
export const DELIVERY_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  ...listPages<MerchantVisit, ListedDelivery>({
    path: 'webhooks',
    section: 'webhooks',
    title: 'Deliveries',
    one: 'delivery',
    days: 'webhook',
    live: ['webhooks', 'transactions', 'data'],
    filters: Object.entries(FILTERS).map(([name, choices]) => ({
      name,
      label: formatLabel(name),
      hint: name === 'trigger' ? 'Event, such as payment_error' : '',
      choices,
    })),
    columns: DELIVERY_COLUMNS,
    actions: ({ home }) =>
      html`<a class="button" href="${home}/webhooks/test">Send a test webhook</a>`,
    empty: ({ home }) => html`Add a <a href="${home}/webhook_templates">webhook template</a>,
or <a href="${home}/webhooks/test">send a test webhook</a>.`,
    async find(visit, sent, range) {
      const { db } = visit.dependencies.database
      const filter = createDeliveryFilter(visit, sent)
      const rows = await findDeliveries(db, filter, range)
      const total = await countDeliveries(db, filter, SENT_AT_ONCE + 1)
      return {
        rows: await listedDeliveries(visit, rows),
        ...(total <= SENT_AT_ONCE && { total }),
      }
    },
    after: (visit, sent, { rows, total }) =>
      rows.length === 0
        ? null
        : html`<div class="bulk">${buttonForm(
            visit,
            `${visit.home}/webhooks/send`,
            `Send ${total === undefined ? `the newest ${SENT_AT_ONCE}` : total === 1 ? 'it' : `these ${total}`} again`,
            null,
            hiddenFields(sent),
          )}</div>`,
  }),
  { path: '/webhooks/:id', section: 'webhooks', show: showDelivery },
  { path: '/webhooks/:id/compare', section: 'webhooks', show: compareAttempts },
]

export const DELIVERY_ACTS: readonly FormAction<MerchantVisit>[] = [
  {
    path: '/webhooks/send',
    section: 'webhooks',
    async act(visit) {
      const sent = sentIn(visit.parameters, Object.keys(FILTERS))
      const count = await sendAgain(visit.dependencies.webhooks, createDeliveryFilter(visit, sent))
      return { to: getAddress('/webhooks', sent), done: 'all_sent_again', count }
    },
  },
  buttonAct('/webhooks/:id/send', 'deliveries.send', ({ sent }, { named }) => ({
    to: `/webhooks/${named.id}`,
    done: sent ? 'sent_again' : 'sent_already',
  })),
  buttonAct('/webhooks/:id/retry', 'deliveries.retry', ({ id }) => ({
    to: `/webhooks/${id}`,
    done: 'retried',
  })),
  buttonAct('/webhooks/:id/remove', 'deliveries.delete', { to: '/webhooks', done: 'removed' }),
]

/** Selects deliveries of the merchant. `failed` and `dead` both mean that a delivery failed. */
function createDeliveryFilter(
  { merchant }: MerchantVisit,
  { status, ...sent }: Sent,
): DeliveryFilter {
  const isFailed = status === FAILED || status === 'failed' || status === 'dead'
  return isFailed
    ? { ...readDeliveryFilter(merchant.id, sent), statuses: ['failed', 'dead'] }
    : readDeliveryFilter(merchant.id, status === undefined ? sent : { ...sent, status })
}

/** Compares two attempts of a delivery: the last two, unless the address names others. */
async function compareAttempts(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies, parameters } = visit
  const row = await requireDelivery(dependencies.webhooks, filterOwn(visit))
  const attempts = (await findAttempts(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const chosen = (['left', 'right'] as const).map(
    (name, at) =>
      attempts.find(({ number }) => String(number) === text(parameters, name)) ??
      attempts.at(at - 2),
  )
  const [left, right] = chosen
  if (!left || !right || attempts.length < 2) throw noPage()
  const others = comparedParts(right)
  const choice = (label: string, name: string, { number: chosen }: WebhookAttemptRow) =>
    html`<label>${label} <select name="${name}">
${attempts.map(({ number }) => option(String(number), String(number), String(chosen)))}
</select></label>`
  const part = (text: string): Cell => ({ text, code: text.length > SHORT })
  return {
    title: `Attempts of delivery ${row.id}`,
    body: html`<p><a href="${home}/webhooks/${row.id}">Back to the delivery</a></p>
<form class="filters" method="get">
${choice('Left', 'left', left)}
${choice('Right', 'right', right)}
<button>Compare</button></form>
${table({
  heads: ['Part', `Attempt ${left.number}`, `Attempt ${right.number}`],
  rows: Object.entries(comparedParts(left)).map(([name, one]) => {
    const other = others[name] ?? ''
    return [{ ...plain(name), note: one === other ? null : 'differs' }, part(one), part(other)]
  }),
})}`,
  }
}

/** Characters of a value that needs no block. */
const SHORT = 60
