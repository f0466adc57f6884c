import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../domain/json.ts'
import { FLAG, type Id, JSON_TEXT, type Kept, tableCodec } from './codec.ts'
import { prepared } from './prepared.ts'
import { byIds } from './rows.ts'
import type { Queries } from './schema.ts'

/** One call of a delivery, or one mail. */
export interface WebhookAttemptTable {
  id: Id
  merchant_id: number
  delivery_id: number
  /** Counts from 1, those that were asked for by hand as well. */
  number: number
  /** Asked for by somebody, outside of the schedule. */
  manual: boolean
  outcome: 'delivered' | 'retry' | 'failed'
  /** What was sent; null when nothing was. */
  request_body: string | null
  /** `{code, body, message, headers, error}`, as the webhook shows it; of the body the beginning. */
  response: JsonObject
  /** Milliseconds that it took. */
  duration: number
  created_at: number
}

export type WebhookAttemptRow = Selectable<WebhookAttemptTable>
export type NewWebhookAttemptRow = Omit<Insertable<WebhookAttemptTable>, 'id'>

export const webhookAttemptCodec = tableCodec<WebhookAttemptTable>({ manual: FLAG, response: JSON_TEXT })

export async function insertAttempts(queries: Queries, rows: readonly NewWebhookAttemptRow[]): Promise<void> {
  if (rows.length === 0) return
  await insert(
    queries,
    rows.map((row) => webhookAttemptCodec.encode(row)),
  )
}

const insert = prepared({
  build: (queries, rows: readonly Insertable<Kept<WebhookAttemptTable>>[]) =>
    queries.insertInto('webhook_attempts').values(rows).returning('id'),
  bind: (rows) => rows.flatMap((row) => Object.values(row)),
  shape: (rows) => rows.map((row) => Object.keys(row).join()).join(';'),
})

/** The attempts of these deliveries, oldest first. */
export const attemptsOf = (queries: Queries, deliveryIds: readonly number[]): Promise<WebhookAttemptRow[]> =>
  byIds(deliveryIds, async (ids) => {
    const rows = await queries
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('delivery_id', 'in', ids)
      .orderBy('id')
      .execute()
    return rows.map(webhookAttemptCodec.decode)
  })
