import type { Selectable } from 'kysely'
import type { Webhook } from '../../contract/wire.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'

export interface WebhookTable {
  id: Id
  merchant_id: number
  transaction_id: number
  type: Webhook['type']
  trigger: string
  url: string | null
  http_method: Webhook['http_method']
  data_format: Webhook['data_format']
  email: string | null
  response: Webhook['response']
  /** Last sent body; null also if it equals a delivery's body, which is stored once. */
  request_body: string | null
  /** The delivery whose body was sent last. */
  delivery_id: number | null
  created_at: number
}

export type WebhookRow = Selectable<WebhookTable>
export type NewWebhookRow = Omit<WebhookRow, 'id'>

export const webhookCodec = tableCodec<WebhookTable>({ response: JSON_TEXT })
