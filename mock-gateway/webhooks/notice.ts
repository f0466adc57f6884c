import { explainFailure } from '../domain/webhook/explain-failure.ts'
import type { NewNotificationRow, NotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import type { Reply } from './reply.ts'

/** Masks the values of a query, and names without a value, which may be secrets. */
export function maskUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  const names = [...url.searchParams].map(([name, value]) => (value === '' ? '***' : `${name}=***`))
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** Returns a delivery's destination without possible secrets. */
export const targetOf = ({ url, email }: Pick<WebhookDeliveryRow, 'url' | 'email'>): string =>
  url === null ? (email ?? 'the payer') : maskUrl(url)

/** Describes a delivery and its answer in a few words. */
export function describeResult(delivery: WebhookDeliveryRow, reply: Reply): string {
  const { trigger, transaction_id } = delivery
  const whose = transaction_id === null ? '' : ` of transaction ${transaction_id}`
  const failure = delivery.url === null ? undefined : explainFailure(reply, delivery.url)
  const result = failure ? `. ${failure}` : `: ${reply.code ?? reply.error}`
  return `${trigger}${whose} to ${targetOf(delivery)}${result}`
}

const NOTICE_TEXTS: Readonly<Record<NotificationRow['kind'], string>> = {
  webhook_failed: 'A webhook failed permanently',
  webhook_dead: 'A webhook failed permanently, after its last retry',
}

/** Creates the notice on the dashboard (specification: Delivery rules 3 and 5). */
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
  message: `${NOTICE_TEXTS[kind]}: ${describeResult(delivery, reply)}`,
  created_at: now,
})
