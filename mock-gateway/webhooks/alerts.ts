import { drawSeededBytes } from '../domain/chance.ts'
import type { Merchant } from '../domain/merchant.ts'
import { newDeliveryRows } from '../outbox/new-delivery-rows.ts'
import type { NewNotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import type { NewDelivery } from '../storage/webhook-deliveries.ts'

/**
 * Trigger of mails to administrators: no webhook has it, and a failed mail causes no other alert.
 */
const ALERT = 'alert'

/**
 * Creates mails to the merchant's administrators who want alerts (specification: Delivery rules 3:
 * an alert e-mail, which each may switch off).
 */
export function alertsOf(
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
  return newDeliveryRows(
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
