import type { WebhookAttemptRow } from '../../../storage/tables/webhook-attempts.ts'
import { isFailed, type WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { namedPayments } from '../../../storage/transactions.ts'
import { findLastAttempts } from '../../../storage/webhook-attempts.ts'
import { isTest } from '../../../webhooks/send-test.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { type Cell, link, longText, orderLink, plain, status, timeAt } from '../parts/cells.ts'
import { buttonForm } from '../parts/forms.ts'
import { type Column, fill, type Table } from '../parts/table.ts'
import type { MerchantVisit } from '../visit.ts'
import { lastAnswer } from './attempts.ts'

/** A delivery of a list. */
export interface ListedDelivery extends WebhookDeliveryRow {
  /** Reference of its payment. */
  readonly order: string | null | undefined
  readonly last: WebhookAttemptRow | undefined
}

/** Reads the orders and the last attempts of deliveries. */
export async function listedDeliveries(
  { dependencies }: Pick<MerchantVisit, 'dependencies'>,
  rows: readonly WebhookDeliveryRow[],
): Promise<ListedDelivery[]> {
  const { db } = dependencies.database
  const attempts = await findLastAttempts(
    db,
    rows.map(({ id }) => id),
  )
  const payments = await namedPayments(
    db,
    rows.flatMap(({ transaction_id }) => transaction_id ?? []),
  )
  return rows.map((row) => ({
    ...row,
    order: payments.get(row.transaction_id ?? 0)?.payment_ref,
    last: attempts.find(({ delivery_id }) => delivery_id === row.id),
  }))
}

export const DELIVERY_COLUMNS: readonly Column<ListedDelivery>[] = [
  ['Id', ({ id }, home) => link(id, `${home}/webhooks/${id}`), 'second'],
  [
    'Order',
    (row, home) =>
      row.transaction_id === null
        ? plain(isTest(row) ? 'a test' : '')
        : orderLink(row.transaction_id, row.order, home),
    'first',
  ],
  ['Trigger', ({ trigger }) => plain(trigger), 'second'],
  ['Created', ({ created_at }) => timeAt(created_at), 'second'],
  ['Target', (row) => longText(formatTarget(row)), 'third'],
  ['Status', (row) => deliveryStatus(row), 'first-end'],
  ['Answer', ({ last, url }) => lastAnswer(last, url), 'second-end'],
  ['Next attempt', ({ due_at }) => timeAt(due_at)],
]

/** Lists deliveries with the orders of their payments. */
export const deliveryTable = async (
  visit: Pick<MerchantVisit, 'home' | 'dependencies'>,
  rows: readonly WebhookDeliveryRow[],
): Promise<Table> => fill(DELIVERY_COLUMNS, await listedDeliveries(visit, rows), visit.home)

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

/** Label of a delivery without further attempts: `failed` and `dead` in the API. */
export const FAILED = 'failed permanently'

export const deliveryStatus = (row: Pick<WebhookDeliveryRow, 'status'>): Cell =>
  status(isFailed(row) ? FAILED : row.status)

/** Returns a webhook's destination; a receipt without an address goes to the payer. */
export const formatTarget = ({
  url,
  http_method,
  email,
}: Pick<WebhookDeliveryRow, 'url' | 'http_method' | 'email'>): string =>
  url === null ? (email ?? 'the payer') : `${http_method?.toUpperCase()} ${url}`
