import { findFailed } from '../../../serializers/story/next-steps.ts'
import { wireTime } from '../../../serializers/time.ts'
import { isFailed, type WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { namedPayments } from '../../../storage/transactions.ts'
import { findLastAttempts } from '../../../storage/webhook-attempts.ts'
import { findDeliveries } from '../../../storage/webhook-deliveries.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { type Cell, link, longText, orderLink, plain, status, time } from '../parts/cells.ts'
import { buttonForm } from '../parts/forms.ts'
import type { Table } from '../parts/table.ts'
import type { MerchantVisit } from '../visit.ts'
import { lastAnswer } from './attempts.ts'

/** Lists deliveries with the orders of their payments. */
export async function deliveryTable(
  visit: Pick<MerchantVisit, 'home' | 'dependencies'>,
  rows: readonly WebhookDeliveryRow[],
): Promise<Table> {
  const payments = await namedPayments(
    visit.dependencies.database.db,
    rows.flatMap(({ transaction_id }) => transaction_id ?? []),
  )
  return tableOf(visit, rows, (row) => {
    const { transaction_id: id } = row
    return id === null
      ? plain(isTest(row) ? 'a test' : '')
      : orderLink(id, payments.get(id)?.payment_ref, visit.home)
  })
}

/** @param orderOf the order of a delivery; without it, the trigger is the title of a row */
async function tableOf(
  { home, dependencies }: Pick<MerchantVisit, 'home' | 'dependencies'>,
  rows: readonly WebhookDeliveryRow[],
  orderOf?: (row: WebhookDeliveryRow) => Cell,
): Promise<Table> {
  const attempts = await findLastAttempts(
    dependencies.database.db,
    rows.map(({ id }) => id),
  )
  const lastOf = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]))
  return {
    heads: [
      'Id',
      ...(orderOf ? ['Order'] : []),
      'Trigger',
      'Created',
      'Target',
      'Status',
      'Answer',
      'Next attempt',
    ],
    places: [
      'second',
      ...(orderOf ? (['first', 'second'] as const) : (['first'] as const)),
      'second',
      'third',
      'first-end',
      'second-end',
      null,
    ],
    rows: rows.map((row) => [
      link(row.id, `${home}/webhooks/${row.id}`),
      ...(orderOf ? [orderOf(row)] : []),
      plain(row.trigger),
      moment(row.created_at),
      longText(targetOf(row)),
      deliveryStatus(row),
      lastAnswer(lastOf.get(row.id), row.url),
      moment(row.due_at),
    ]),
  }
}

/** Renders the button that sends a delivery again; null while the gateway sends it again. */
export const resendForm = (
  visit: Pick<MerchantVisit, 'home' | 'formToken'>,
  { id, again_from }: WebhookDeliveryRow,
): SafeHtml | null =>
  again_from === null ? buttonForm(visit, `${visit.home}/webhooks/${id}/send`, 'Send again') : null

/** Renders the link to the transaction of a delivery. */
export const transactionLink = (home: string, id: number | null): SafeHtml | null =>
  id === null
    ? null
    : html`<a class="button" href="${home}/transactions/${id}">Transaction ${id}</a>`

/** Deliveries on the page of their transaction. */
const OF_TRANSACTION = 50

/** Lists the deliveries of a transaction, the newest last, with a link to all. */
export async function deliveriesOf(visit: MerchantVisit, transactionId: number) {
  const { home, merchant, dependencies } = visit
  const filter = { merchantId: merchant.id, transactionId }
  const rows = await findDeliveries(dependencies.database.db, filter, {
    limit: OF_TRANSACTION,
    offset: 0,
  })
  return {
    ...(await tableOf(visit, rows.toReversed())),
    failed: findFailed(rows),
    all: `${home}/webhooks?transaction_id=${transactionId}`,
  }
}

/** Label of a delivery without further attempts: `failed` and `dead` in the API. */
export const FAILED = 'failed permanently'

export const deliveryStatus = (row: Pick<WebhookDeliveryRow, 'status'>): Cell =>
  status(isFailed(row) ? FAILED : row.status)

/** @param at epoch milliseconds; null for no time */
export const moment = (at: number | null): Cell => (at === null ? plain('') : time(wireTime(at)))

/** Returns a webhook's destination; a receipt without an address goes to the payer. */
export const targetOf = ({
  url,
  http_method,
  email,
}: Pick<WebhookDeliveryRow, 'url' | 'http_method' | 'email'>): string =>
  url === null ? (email ?? 'the payer') : `${http_method?.toUpperCase()} ${url}`
