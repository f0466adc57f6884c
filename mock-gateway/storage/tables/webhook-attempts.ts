import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../../domain/json.ts'
import { FLAG, type Id, JSON_TEXT, tableCodec } from './codec.ts'

/** A call of a delivery, or a mail. */
export interface WebhookAttemptTable {
  id: Id
  merchant_id: number
  delivery_id: number
  /** Counts from 1, including attempts by hand. */
  number: number
  /** True for an attempt by hand, outside of the retry schedule. */
  manual: boolean
  outcome: 'delivered' | 'retry' | 'failed'
  /** Headers that were sent, by name; null when nothing was, and of a mail. */
  request_headers: JsonObject | null
  /**
   * Sent request; null if nothing was sent, or if it equals the delivery's body, which is stored
   * once.
   */
  request_body: string | null
  /**
   * `{code, body, message, headers, error}`, as the webhook shows it; of the body the beginning.
   */
  response: JsonObject
  /** Milliseconds that it took. */
  duration: number
  created_at: number
}

export type WebhookAttemptRow = Selectable<WebhookAttemptTable>
export type NewWebhookAttemptRow = Omit<Insertable<WebhookAttemptTable>, 'id'>

export const webhookAttemptCodec = tableCodec<WebhookAttemptTable>({
  manual: FLAG,
  request_headers: JSON_TEXT,
  response: JSON_TEXT,
})
