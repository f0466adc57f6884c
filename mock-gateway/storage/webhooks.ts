import type { Insertable, Selectable } from 'kysely'
import type { Id } from './codec.ts'
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
  response: string | null
  request_body: string | null
  created_at: number
}

export type WebhookRow = Selectable<WebhookTable>

export async function insertWebhooks(
  queries: Queries,
  rows: readonly Insertable<WebhookTable>[],
): Promise<WebhookRow[]> {
  if (rows.length === 0) return []
  return queries.insertInto('webhooks').values(rows).returningAll().execute()
}
