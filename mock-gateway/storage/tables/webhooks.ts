import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../../domain/json.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'

export interface WebhookTable {
  id: Id
  merchant_id: number
  transaction_id: number
  type: string
  trigger: string
  url: string | null
  http_method: string | null
  data_format: string | null
  email: string | null
  response: JsonObject | null
  request_body: string | null
  created_at: number
}

export type WebhookRow = Selectable<WebhookTable>
export type NewWebhookRow = Omit<Insertable<WebhookTable>, 'id'>

export const webhookCodec = tableCodec<WebhookTable>({ response: JSON_TEXT })
