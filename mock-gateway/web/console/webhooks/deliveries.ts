import { readDeliveryFilter } from '../../../operations/deliveries.ts'
import { countRows, findAll } from '../../../storage/rows.ts'
import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import { isFailed, type WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { findNamedPayments } from '../../../storage/transactions.ts'
import { findLastAttempts } from '../../../storage/webhook-attempts.ts'
import type { DeliveryFilter } from '../../../storage/webhook-deliveries.ts'
import { sendAgain } from '../../../webhooks/administer.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { formatMinute } from '../../pages/times.ts'
import { type Cell, formatCount, link, longText, status, timeAt, toCell } from '../parts/cells.ts'
import { formatLabel, getAddress, type Sent, sentIn } from '../parts/filters.ts'
import { renderButtonForm } from '../parts/forms.ts'
import { listPages } from '../parts/list.ts'
import { type Column, fill, type Table } from '../parts/table.ts'
import type { ConsolePage, ConsoleVisit, FormAction, MerchantVisit } from '../visit.ts'
import { findFailure, shortAnswer } from './attempts.ts'

export interface ListedDelivery extends WebhookDeliveryRow {
  /** Reference of its payment. */
  readonly order: string | null | undefined
  readonly last: WebhookAttemptRow | undefined
  /** Destination; without its host if the row above has the same one. */
  readonly target: Cell
}

export async function listedDeliveries(
  { db }: ConsoleVisit,
  rows: readonly WebhookDeliveryRow[],
): Promise<ListedDelivery[]> {
  const ids = rows.map(({ id }) => id)
  const attempts = await findLastAttempts(db, ids)
  const paid = rows.flatMap(({ transaction_id }) => transaction_id ?? [])
  const payments = await findNamedPayments(db, paid)
  const hosts = rows.map(({ url }) => url && URL.parse(url)?.host)
  return rows.map((row, index) => ({
    ...row,
    target: nameTarget(row, hosts[index] === hosts[index - 1]),
    order: payments.get(row.transaction_id ?? 0)?.payment_ref,
    last: attempts.find(({ delivery_id }) => delivery_id === row.id),
  }))
}

/** Label of a delivery without further attempts: `failed` and `dead` in the API. */
export const FAILED = 'failed permanently'

/** Creates the cell of a delivery's status. @param isLong adds how often it failed */
export function deliveryStatus(row: WebhookDeliveryRow, isLong = false): Cell {
  if (isFailed(row)) return { ...status(FAILED), text: 'Failed permanently', wire: FAILED }
  if (isHeld(row)) return { text: 'Held', tone: 'waiting', wire: row.status }
  if (row.status !== 'pending' || row.attempts === 0 || row.again_from !== null)
    return status(row.status)
  const at = formatMinute(row.due_at ?? 0).replace(/ \d{4}/, '')
  const failed = `Failed ${formatCount(row.attempts, 'time')}`
  const text = isLong ? `${failed}, retry on ${at}` : `Retry on ${at}`
  return { text, tone: 'bad', wire: row.status }
}

/** Returns true for a delivery that waits until it is released. */
export const isHeld = ({ status, due_at, again_from }: WebhookDeliveryRow): boolean =>
  status === 'pending' && due_at === null && again_from === null

/** Returns a webhook's destination; a receipt without an address goes to the payer. */
export const formatTarget = (
  row: Pick<WebhookDeliveryRow, 'url' | 'http_method' | 'email'>,
): string =>
  row.url === null ? (row.email ?? 'the payer') : `${row.http_method?.toUpperCase()} ${row.url}`

function nameTarget(row: WebhookDeliveryRow, isSameHost: boolean): Cell {
  const wire = formatTarget(row)
  return { ...longText(isSameHost ? withoutHost(wire) : wire), wire }
}

/** Removes the host from a target: `POST /hook`. */
export const withoutHost = (target: string): string =>
  target.replace(/^(\w+) https?:\/\/[^/]+/, '$1 ')

const COLUMNS: readonly Column<ListedDelivery>[] = [
  ['Id', ({ id }) => id, 'file'],
  [
    'Order',
    (row, home) => {
      const { id, order, transaction_id } = row
      const other = isTest(row) ? 'a test' : (transaction_id ?? `Webhook ${id}`)
      return { ...link(order || other, `${home}/webhooks/${id}`), number: true }
    },
    'first',
  ],
  ['Trigger', ({ trigger }) => trigger, 'second'],
  ['Created', ({ created_at }) => timeAt(created_at), 'second-end'],
  ['Target', ({ target }) => target],
  ['Status', (row) => deliveryStatus(row), 'first-end'],
  [
    'Answer',
    ({ last, url }) => ({
      ...toCell(last && shortAnswer(last, url)),
      note: last ? findFailure(last, url) : null,
      folds: true,
    }),
  ],
  ['Next attempt', ({ due_at }) => timeAt(due_at)],
]

export const deliveryTable = async (
  visit: ConsoleVisit,
  rows: readonly WebhookDeliveryRow[],
): Promise<Table> => fill(COLUMNS, await listedDeliveries(visit, rows), visit.home)

/** Filters of deliveries, with their values if there are few. */
const FILTERS = {
  trigger: [],
  status: ['pending', 'delivered', FAILED],
  transaction_id: [],
} as const

/** Selects deliveries of the merchant. `failed` and `dead` both mean that a delivery failed. */
function createDeliveryFilter({ merchant: { id } }: MerchantVisit, sent: Sent): DeliveryFilter {
  const { status = '', ...others } = sent
  return [FAILED, 'failed', 'dead'].includes(status)
    ? { ...readDeliveryFilter(id, others), status: ['failed', 'dead'] }
    : readDeliveryFilter(id, sent)
}

/** Maximum number of deliveries for one press, see `sendAgain`. */
export const SENT_AT_ONCE = 1_000

export const DELIVERY_PAGES: readonly ConsolePage<MerchantVisit>[] = listPages<
  MerchantVisit,
  ListedDelivery
>({
  path: 'webhooks',
  title: 'Deliveries',
  one: 'delivery',
  days: 'webhook',
  live: ['webhooks', 'transactions', 'data'],
  filters: Object.entries(FILTERS).map(([name, choices]) => ({
    name,
    label: formatLabel(name),
    hint: name === 'trigger' ? 'Event' : '',
    choices,
  })),
  columns: COLUMNS,
  actions: async (visit, sent) =>
    html`<a class="button small" href="${visit.home}/webhooks/test">Send a test webhook</a>
${await renderSendAll(visit, sent)}`,
  empty: ({ home }) => html`Add a <a href="${home}/webhook_templates">webhook template</a>,
or <a href="${home}/webhooks/test">send a test webhook</a>.`,
  async find(visit, sent, range) {
    const { db } = visit
    const filter = createDeliveryFilter(visit, sent)
    const found = await findAll(db, 'webhook_deliveries', filter, { ...range, newestFirst: true })
    const count = await countRows(db, 'webhook_deliveries', filter, SENT_AT_ONCE + 1)
    const rows = await listedDeliveries(visit, found)
    return { rows, total: count > SENT_AT_ONCE ? undefined : count }
  },
})

/** Renders the button that resends the failed deliveries, or those of a search for a status. */
async function renderSendAll(visit: MerchantVisit, sent: Sent): Promise<SafeHtml | null> {
  const status = sent.status || FAILED
  const again = { ...sent, status }
  const filter = createDeliveryFilter(visit, again)
  const count = await countRows(visit.db, 'webhook_deliveries', filter, SENT_AT_ONCE + 1)
  if (count === 0) return null
  const webhooks = formatCount(
    Math.min(count, SENT_AT_ONCE),
    `${status === FAILED ? 'failed' : status} webhook`,
  )
  return renderButtonForm(
    visit,
    `${visit.home}/webhooks/send`,
    `Send ${count > SENT_AT_ONCE ? 'the newest ' : ''}${webhooks} again`,
    status === FAILED ? 'main' : null,
    renderHiddenFields(again),
  )
}

export const SEND_ALL_ACT: FormAction<MerchantVisit> = {
  path: '/webhooks/send',
  async act(visit) {
    const sent = sentIn(visit.parameters, Object.keys(FILTERS))
    const count = await sendAgain(visit.dependencies.webhooks, createDeliveryFilter(visit, sent))
    return { to: getAddress('/webhooks', sent), done: 'all_sent_again', count }
  },
}
