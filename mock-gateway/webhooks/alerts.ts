import type { Merchant } from '../domain/merchant.ts'
import type { NewNotificationRow } from '../storage/notifications.ts'
import type { NewWebhookDeliveryRow, WebhookDeliveryRow } from '../storage/webhook-deliveries.ts'

/** The trigger of mails to administrators: no webhook waits for it, and a mail that fails brings no other. */
export const ALERT = 'alert'

/**
 * Mails to those administrators of the merchant who want them (specification: Delivery rules 3: an alert e-mail, which
 * each may switch off).
 * @param id 32 hexadecimal digits, new for each notification
 */
export function alertsOf(
  { settings }: Merchant,
  { trigger }: Pick<WebhookDeliveryRow, 'trigger'>,
  notification: NewNotificationRow,
  id: string,
): NewWebhookDeliveryRow[] {
  if (trigger === ALERT) return []
  const { merchant_id, created_at, kind, message, delivery_id, transaction_id = null } = notification
  const body = JSON.stringify({ kind, message, delivery_id, transaction_id, created_at: new Date(created_at) })
  return settings.administrators
    .filter(({ alerts }) => alerts)
    .map(({ email }, index) => ({
      merchant_id,
      event_id: `evt_${id}`,
      message_id: `msg_${id}_${index + 1}`,
      transaction_id,
      webhook_id: null,
      template: null,
      type: 'Email',
      trigger: ALERT,
      url: null,
      http_method: null,
      data_format: null,
      email,
      host: '',
      body,
      status: 'pending',
      attempts: 0,
      calls: 0,
      due_at: created_at,
      again_from: null,
      again_due_at: null,
      lease_until: null,
      lease_owner: null,
      created_at,
      updated_at: created_at,
    }))
}
