import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../domain/json.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'
import type { Queries } from './schema.ts'

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

export async function insertWebhooks(queries: Queries, rows: readonly NewWebhookRow[]): Promise<WebhookRow[]> {
  if (rows.length === 0) return []
  const values = rows.map((row) => webhookCodec.encode(row))
  const inserted = await queries.insertInto('webhooks').values(values).returningAll().execute()
  return inserted.map(webhookCodec.decode)
}
