import type { Webhook } from '../../contract/wire.ts'
import { id, json, key, listed, moment, nullable, type RowOf, reference, text } from './columns.ts'

export const webhookColumns = {
  id: listed(key()),
  merchant_id: id(),
  transaction_id: listed(reference('transactions')),
  type: listed(text<Webhook['type']>()),
  trigger: listed(text()),
  url: listed(nullable(text())),
  http_method: listed(nullable(text<NonNullable<Webhook['http_method']>>())),
  data_format: listed(nullable(text<NonNullable<Webhook['data_format']>>())),
  email: listed(nullable(text())),
  response: nullable(json<NonNullable<Webhook['response']>>()),
  /** Last sent body; null also if it equals a delivery's body, which is stored once. */
  request_body: nullable(text()),
  /** The delivery whose body was sent last. */
  delivery_id: nullable(id()),
  created_at: listed(moment()),
}

export type WebhookRow = RowOf<typeof webhookColumns>
export type NewWebhookRow = Omit<WebhookRow, 'id'>
