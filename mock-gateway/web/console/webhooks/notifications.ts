import { wireTime } from '../../../serializers/time.ts'
import { newestRows } from '../../../storage/newest.ts'
import type { NotificationRow } from '../../../storage/tables/notifications.ts'
import { isFailed, type WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { namedPayments } from '../../../storage/transactions.ts'
import { deliveriesById } from '../../../storage/webhook-deliveries.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { cell } from '../parts/cell.ts'
import { status, time } from '../parts/cells.ts'
import { emptyState } from '../parts/empty.ts'
import { pager } from '../parts/filters.ts'
import { ofNewest, paged } from '../parts/paging.ts'
import type { ConsolePage, MerchantVisit } from '../visit.ts'
import { deliveryStatus, resendForm, targetOf, transactionLink } from './delivery-table.ts'

/** Page of the merchant's notifications (specification: Delivery rules 3 and 5). */
export const NOTIFICATIONS_PAGE: ConsolePage<MerchantVisit> = {
  path: '/notifications',
  section: 'notifications',
  async show(visit) {
    const { home, merchant, dependencies } = visit
    const { db } = dependencies.database
    const { rows, ...around } = await paged(visit, `${home}/notifications`, (page) =>
      newestRows(db, 'notifications', merchant.id, page),
    )
    const deliveries = await deliveriesById(
      db,
      rows.map(({ delivery_id }) => delivery_id),
    )
    const payments = await namedPayments(
      db,
      rows.flatMap(({ transaction_id }) => transaction_id ?? []),
    )
    return {
      title: 'Notifications',
      live: ofNewest(around, ['webhooks']),
      body: html`<p class="quiet">Webhooks that your shop did not accept, and that are not retried.
Correct the cause, then send the webhook again.</p>
${
  rows.length > 0
    ? rows.map((row) =>
        notificationView(
          visit,
          row,
          deliveries.get(row.delivery_id),
          payments.get(row.transaction_id ?? 0)?.payment_ref,
        ),
      )
    : emptyState(
        'No failed webhooks.',
        html`<a href="${home}/webhooks/test">Send a test webhook</a> to try your shop.`,
      )
}
${pager(around)}`,
    }
  },
}

/**
 * Renders a notification: the event, its reason and the next step.
 * @param delivery its current state; undefined after it was deleted
 * @param order reference of its payment
 */
function notificationView(
  visit: MerchantVisit,
  { id, message, created_at, delivery_id, transaction_id }: NotificationRow,
  delivery: WebhookDeliveryRow | undefined,
  order: string | null | undefined,
): SafeHtml {
  const { home } = visit
  const [, event, reason] = /^(.*?)\. (.*)$/s.exec(message) ?? [null, message, null]
  const at = `${home}/webhooks/${delivery_id}`
  const title = order ? `Webhook for order ${order} failed` : event
  const state = delivery ? !isFailed(delivery) && deliveryStatus(delivery) : status('deleted')
  return html`<section data-key="${id}">
<h2>${delivery ? html`<a href="${at}">${title}</a>` : title}</h2>
${reason && html`<p>${reason}</p>`}
<p class="quiet">Failed ${cell(time(wireTime(created_at)))} ${state ? cell(state) : null}
${delivery && html`<span class="note">${delivery.trigger}: ${targetOf(delivery)}</span>`}</p>
<div class="presets">
${delivery && delivery.status !== 'delivered' ? resendForm(visit, delivery) : null}
${transactionLink(home, transaction_id)}</div>
</section>
`
}
