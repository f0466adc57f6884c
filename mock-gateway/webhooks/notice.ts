import type { NewNotificationRow, NotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import type { Reply } from './reply.ts'

/** A target as people may see it: the values of its query may be secrets. */
export function maskedUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  const names = [...url.searchParams.keys()].map((name) => `${name}=***`)
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** One delivery and what came back, in a few words. */
export function shown(delivery: WebhookDeliveryRow, { code, error }: Reply): string {
  const { trigger, transaction_id, url, email } = delivery
  const whose = transaction_id === null ? '' : ` of transaction ${transaction_id}`
  return `${trigger}${whose} to ${url === null ? email : maskedUrl(url)}: ${code ?? error}`
}

const SAYS: Readonly<Record<NotificationRow['kind'], string>> = {
  webhook_failed: 'A webhook was not taken',
  webhook_dead: 'A webhook was not taken, and the last retry has been made',
}

/** What the dashboard tells (specification: Delivery rules 3 and 5). */
export const noticeOf = (
  kind: NotificationRow['kind'],
  delivery: WebhookDeliveryRow,
  reply: Reply,
  now: number,
): NewNotificationRow => ({
  merchant_id: delivery.merchant_id,
  kind,
  delivery_id: delivery.id,
  transaction_id: delivery.transaction_id,
  message: `${SAYS[kind]}: ${shown(delivery, reply)}`,
  created_at: now,
})
