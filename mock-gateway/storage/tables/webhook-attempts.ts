import type { JsonObject } from '../../domain/json.ts'
import {
  flag,
  id,
  integer,
  json,
  key,
  moment,
  nullable,
  type RowOf,
  reference,
  text,
} from './columns.ts'

/** A call of a delivery, or a mail. */
export const webhookAttemptColumns = {
  id: key(),
  merchant_id: id(),
  delivery_id: reference('webhook_deliveries'),
  /** Counts from 1, including attempts by hand. */
  number: integer(),
  /** True for an attempt by hand, outside of the retry schedule. */
  manual: flag(),
  outcome: text<'delivered' | 'retry' | 'failed'>(),
  /** Headers that were sent, by name; null when nothing was, and of a mail. */
  request_headers: nullable(json<JsonObject>()),
  /**
   * Sent request; null if nothing was sent, or if it equals the delivery's body, which is stored
   * once.
   */
  request_body: nullable(text()),
  /**
   * `{code, body, message, headers, error}`, as the webhook shows it; of the body the beginning.
   */
  response: json<JsonObject>(),
  /** Milliseconds that it took. */
  duration: integer(),
  created_at: moment(),
}

export type WebhookAttemptRow = RowOf<typeof webhookAttemptColumns>
