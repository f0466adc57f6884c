import { drawSeededBytes } from '../domain/chance.ts'
import { memoized } from '../domain/memoized.ts'
import type { Merchant } from '../domain/merchant.ts'
import { explainFailure } from '../domain/webhook/explain-failure.ts'
import { createDeliveryRows } from '../outbox/new-delivery-rows.ts'
import type { NewNotificationRow, NotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import type { NewDelivery } from '../storage/webhook-deliveries.ts'
import type { Reply } from './transport.ts'

/** Masks the values of a query, and names without a value, which may be secrets. */
export const maskUrl = memoized(500, (text: string): string => {
  const url = URL.parse(text)
  if (!url) return text
  const names = [...url.searchParams].map(([name, value]) => (value === '' ? '***' : `${name}=***`))
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
})

/** Returns a delivery's destination without possible secrets. */
export const formatTarget = ({ url, email }: Pick<WebhookDeliveryRow, 'url' | 'email'>): string =>
  url === null ? (email ?? 'the payer') : maskUrl(url)

/** Describes a delivery and its answer in a few words. */
export function describeResult(delivery: WebhookDeliveryRow, reply: Reply): string {
  const { trigger, transaction_id } = delivery
  const whose = transaction_id === null ? '' : ` of transaction ${transaction_id}`
  const failure = delivery.url === null ? undefined : explainFailure(reply, delivery.url)
  const result = failure ? `. ${failure}` : `: ${reply.code ?? reply.error}`
  return `${trigger}${whose} to ${formatTarget(delivery)}${result}`
}

const NOTICE_TEXTS: Readonly<Record<NotificationRow['kind'], string>> = {
  webhook_failed: 'A webhook failed permanently',
  webhook_dead: 'A webhook failed permanently, after its last retry',
}

/** Creates the notice on the dashboard (specification: Delivery rules 3 and 5). */
export const createNotice = (
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

/**
 * Trigger of mails to administrators: no webhook has it, and a failed mail causes no other alert.
 */
const ALERT = 'alert'

/**
 * Creates mails to the merchant's administrators who want alerts (specification: Delivery rules 3:
 * an alert e-mail, which each may switch off).
 */
export function createAlerts(
  { settings }: Merchant,
  { trigger, message_id, calls }: Pick<WebhookDeliveryRow, 'trigger' | 'message_id' | 'calls'>,
  notification: NewNotificationRow,
): NewDelivery[] {
  if (trigger === ALERT) return []
  const {
    merchant_id: merchantId,
    created_at: now,
    kind,
    message,
    delivery_id,
    transaction_id = null,
  } = notification
  // Like retries, alerts do not use the random source of tokens.
  const id = drawSeededBytes(`${message_id} alert`, calls, 12)
  const body = JSON.stringify({
    kind,
    message,
    delivery_id,
    transaction_id,
    created_at: new Date(now),
  })
  const mail = { ...NO_WEBHOOK, type: 'Email', trigger: ALERT, transaction_id, body } as const
  return createDeliveryRows(
    { merchantId, id, now, dueAt: now },
    settings.administrators.filter(({ alerts }) => alerts).map(({ email }) => ({ ...mail, email })),
  )
}

const NO_WEBHOOK = {
  webhook_id: null,
  template: null,
  url: null,
  http_method: null,
  data_format: null,
}
