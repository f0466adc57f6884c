import { DELIVERY_STATUSES, readDeliveryFilter } from '../../parsing/control/webhooks.ts'
import { type Parameters, pick, text, yesOrNo } from '../../parsing/parameters/parameters.ts'
import { wireTime } from '../../serializers/time.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { DeliveryStatus, FullDelivery, WebhookDeliveryRow } from '../../storage/tables/webhook-deliveries.ts'
import { attemptsOf, lastAttempts } from '../../storage/webhook-attempts.ts'
import { type DeliveryFilter, findDeliveries } from '../../storage/webhook-deliveries.ts'
import { needDelivery, needFullDelivery, removeDelivery, retryNow, sendAgain } from '../../webhooks/administer.ts'
import { readable } from '../../webhooks/body.ts'
import { DRAWN_BELOW, RETRIES, retryDelay } from '../../webhooks/schedule.ts'
import { isTest } from '../../webhooks/send-test.ts'
import { ATTEMPT_HEADS, attemptRow, checksOf, compared, exchangeOfAttempt, lastAnswer } from './attempts.ts'
import { bounded } from './bounded.ts'
import { type Cell, link, longText, plain, status, time } from './cells.ts'
import type { Table } from './design/table.ts'
import { labelOf } from './lists.ts'
import { ofNewest, paged } from './paging.ts'
import { type Act, idOf, type MerchantVisit, noPage, noRow, type Page, type View } from './visit.ts'

/** What was sent, what came of it, and what is yet to be sent. */
export const DELIVERY_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/webhooks', section: 'webhooks', show: list },
  { path: '/webhooks/:id', section: 'webhooks', show: detail },
  { path: '/webhooks/:id/compare', section: 'webhooks', show: compare },
]

export const DELIVERY_ACTS: readonly Act<MerchantVisit>[] = [
  {
    path: '/webhooks/send',
    section: 'webhooks',
    async act(visit) {
      const { sent, filter, address } = chosen(visit)
      if (!yesOrNo(pick(visit.parameters, ['sure']), 'sure')) return askFirst(visit, sent, filter, address)
      return { to: address, done: 'all_sent_again', count: await sendAgain(visit.dependencies.webhooks, filter) }
    },
  },
  {
    path: '/webhooks/:id/send',
    async act(visit) {
      const filter = ownOf(visit)
      const { id } = await needDelivery(visit.dependencies.webhooks, filter)
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

/** At most so many are sent by one press, see `sendAgain`. */
const SENT_AT_ONCE = 1_000

const TARGETS_SHOWN = 5

/** The one in the address, if it is the merchant's own. */
function ownOf(visit: MerchantVisit): DeliveryFilter {
  const id = idOf(visit)
  if (id === undefined) throw noRow('delivery', visit.named.id ?? '')
  return { merchantId: visit.merchant.id, id }
}

/** What deliveries are searched by, with the values to choose from where there are few. */
const FILTERS = { status: DELIVERY_STATUSES, trigger: [], transaction_id: [] } as const

/** The deliveries that somebody has chosen, always the merchant's own, and where their list is. */
function chosen({ merchant, parameters }: MerchantVisit) {
  const sent = filtersIn(parameters)
  const { filter } = readDeliveryFilter({ ...sent, merchant_id: String(merchant.id) })
  const query = String(new URLSearchParams(sent))
  return { sent, filter, address: `/webhooks${query && `?${query}`}` }
}

/** How many of them there are is said before any is sent. */
async function askFirst(
  { home, dependencies }: MerchantVisit,
  sent: Readonly<Record<string, string>>,
  filter: DeliveryFilter,
  address: string,
): Promise<View> {
  const found = await findDeliveries(dependencies.database.db, filter, { limit: SENT_AT_ONCE, offset: 0 })
  return {
    view: 'send_all',
    title: 'Send again?',
    data: {
      count: found.length,
      targets: [...new Set(found.map(targetOf))].slice(0, TARGETS_SHOWN),
      back: home + address,
      sent: Object.entries(sent).map(([name, value]) => ({ name, value })),
    },
  }
}

const filtersIn = (parameters: Parameters): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(FILTERS).flatMap((name) => {
      const value = text(parameters, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )

async function list(visit: MerchantVisit): Promise<View> {
  const { home, dependencies } = visit
  const { sent, filter, address } = chosen(visit)
  const { rows, ...around } = await paged(visit, home + address, (page) =>
    findDeliveries(dependencies.database.db, filter, page),
  )
  return {
    view: 'deliveries',
    title: 'Deliveries',
    live: ofNewest(around, ['webhooks', 'transactions', 'data']),
    data: {
      ...around,
      ...(await deliveryTable(visit, rows)),
      sent: Object.entries(sent).map(([name, value]) => ({ name, value })),
      clear: Object.keys(sent).length > 0 ? `${home}/webhooks` : null,
      filters: Object.entries(FILTERS).map(([name, choices]) => ({
        name,
        label: labelOf(name),
        value: sent[name] ?? '',
        hint: '',
        choices,
      })),
    },
  }
}

export async function deliveryTable(
  { home, dependencies }: Pick<MerchantVisit, 'home' | 'dependencies'>,
  rows: readonly WebhookDeliveryRow[],
): Promise<Table> {
  const attempts = await lastAttempts(
    dependencies.database.db,
    rows.map(({ id }) => id),
  )
  const lastOf = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]))
  return {
    heads: ['Id', 'Created', 'Trigger', 'Target', 'Status', 'Attempts', 'Answer', 'Next try'],
    places: [null, 'second', 'first', null, 'first-end', null, 'second-end', null],
    rows: rows.map((row) => [
      plain(row.id),
      moment(row.created_at),
      link(row.trigger, `${home}/webhooks/${row.id}`),
      longText(targetOf(row)),
      status(row.status),
      { ...plain(row.calls), number: true },
      lastAnswer(lastOf.get(row.id)),
      moment(row.due_at),
    ]),
  }
}

/** Deliveries on the page of their transaction. */
const OF_TRANSACTION = 50

/** What was sent of a transaction, the newest last, and where all of it is. */
export async function deliveriesOf(visit: MerchantVisit, transactionId: number) {
  const { home, merchant, dependencies } = visit
  const filter = { merchantId: merchant.id, transactionId }
  const rows = await findDeliveries(dependencies.database.db, filter, { limit: OF_TRANSACTION, offset: 0 })
  return { ...(await deliveryTable(visit, rows.toReversed())), all: `${home}/webhooks?transaction_id=${transactionId}` }
}

/** @param at epoch milliseconds; null is no time */
const moment = (at: number | null): Cell => (at === null ? plain('') : time(wireTime(at)))

/** Where a webhook goes; a receipt that names nobody goes to the payer. */
export const targetOf = ({
  url,
  http_method,
  email,
}: Pick<WebhookDeliveryRow, 'url' | 'http_method' | 'email'>): string =>
  url === null ? (email ?? 'the payer') : `${http_method?.toUpperCase()} ${url}`

/** Attempts on a page: whoever has sent one again more often sees the last. */
const ATTEMPTS = 50

async function detail(visit: MerchantVisit): Promise<View> {
  const { home, dependencies } = visit
  const row = await needFullDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await attemptsOf(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const checked = attempts.findLast(({ request_headers }) => request_headers !== null)
  const isWaiting = row.status === 'pending' && row.again_from === null
  const act = (name: string, isPossible: boolean) => (isPossible ? `${home}/webhooks/${row.id}/${name}` : null)
  return {
    view: 'delivery',
    live: [`webhooks/${row.id}`, 'data'],
    title: isTest(row) ? `Delivery ${row.id}, a test` : `Delivery ${row.id}`,
    data: {
      status: status(row.status),
      plan: planOf(row),
      send: act('send', row.again_from === null),
      retry: act('retry', isWaiting),
      remove: act('remove', row.status !== 'pending'),
      facts: factsOf(row, home),
      heads: ATTEMPT_HEADS,
      rows: attempts.map(attemptRow),
      exchanges: attempts.map(exchangeOfAttempt),
      checks: checked ? checksOf(row, checked, visit.merchant) : [],
      checked: checked?.number ?? null,
      compare: attempts.length > 1 ? `${home}/webhooks/${row.id}/compare` : null,
      body: bounded(readable(row.body)),
      as_sent: asSent(row, attempts),
    },
  }
}

/** Two attempts of one delivery side by side: the last two, unless the address names others. */
async function compare(visit: MerchantVisit): Promise<View> {
  const { home, dependencies, parameters } = visit
  const row = await needDelivery(dependencies.webhooks, ownOf(visit))
  const attempts = (await attemptsOf(dependencies.database.db, [row.id])).slice(-ATTEMPTS)
  const chosen = (name: string, otherwise: number) =>
    attempts.find(({ number }) => String(number) === text(parameters, name)) ?? attempts.at(otherwise)
  const [left, right] = [chosen('left', -2), chosen('right', -1)]
  if (!left || !right) throw noPage()
  return {
    view: 'compare',
    title: `Two attempts of delivery ${row.id}`,
    data: {
      at: `${home}/webhooks/${row.id}`,
      numbers: attempts.map(({ number }) => number),
      left: left.number,
      right: right.number,
      rows: compared(left, right),
    },
  }
}

const factsOf = (row: WebhookDeliveryRow, home: string) =>
  Object.entries({
    Created: moment(row.created_at),
    Trigger: plain(row.trigger),
    Transaction:
      row.transaction_id === null ? plain('') : link(row.transaction_id, `${home}/transactions/${row.transaction_id}`),
    Template: row.template === null ? plain('') : link(row.template, `${home}/webhook_templates`),
    Target: plain(targetOf(row)),
    'Data format': plain(row.data_format),
    'webhook-id': plain(row.message_id),
    'Event id': plain(row.event_id),
    Attempts: plain(row.calls),
    'Next try': moment(row.due_at),
  })
    .filter(([, { text }]) => text !== '')
    .map(([name, cell]) => ({ name, ...cell }))

/** What is going to happen to a delivery, and why. */
function planOf(row: WebhookDeliveryRow): string {
  return row.again_from === null ? PLANS[row.status](row) : 'Somebody has asked to send it again: it is sent now.'
}

const PLANS: Readonly<Record<DeliveryStatus, (row: WebhookDeliveryRow) => string>> = {
  delivered: () => 'It was taken: nothing more is sent.',
  failed: () =>
    'It was not taken, and what came of it is not tried again. It goes out only when somebody sends it again.',
  dead: () => `It was not taken, and all ${RETRIES} retries were made. It goes out only when somebody sends it again.`,
  pending({ attempts, due_at }) {
    const at = moment(due_at).text
    if (attempts === 0) return `Its first attempt is due at ${at}.`
    const [least, most] = [0, DRAWN_BELOW - 1].map((drawn) => retryDelay(attempts - 1, drawn))
    return `Retry ${attempts} of ${RETRIES} is due at ${at}: by the schedule ${least} to ${most} seconds after the attempt before.`
  },
}

/** What the last attempt has sent, where that is not the body as it is shown. */
function asSent({ body }: FullDelivery, attempts: readonly WebhookAttemptRow[]): string | null {
  const sent = attempts.at(-1)?.request_body ?? body
  return sent === body ? null : bounded(sent)
}
