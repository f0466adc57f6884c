import type { Selectable } from 'kysely'
import type { Webhook } from '../../contract/wire.ts'
import {
  createKey,
  id,
  integer,
  key,
  moment,
  nullable,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** Pending until it is done; a dead delivery has failed permanently, after its last retry. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'dead'

/**
 * An event for a webhook. Its row is rewritten when it is leased and when it ends, so the body
 * is in a table of its own.
 */
export const webhookDeliveryColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  /** Shared by all deliveries of one event. */
  event_id: text(),
  /** Equal in every attempt, so that a receiver recognises a duplicate. */
  message_id: text(),
  transaction_id: nullable(id()),
  /** The webhook of the transaction; null for one of the merchant's templates. */
  webhook_id: nullable(id()),
  /** Name of the merchant's template. */
  template: nullable(text()),
  type: text(),
  trigger: text(),
  url: nullable(text()),
  http_method: nullable(text<NonNullable<Webhook['http_method']>>()),
  data_format: nullable(text<NonNullable<Webhook['data_format']>>()),
  email: nullable(text()),
  /**
   * Merchant, host and port: each has a limit of parallel calls, see `hostKey`.
   */
  host: text(),
  status: text<DeliveryStatus>(),
  /** Number of attempts that followed the schedule. */
  attempts: integer(),
  /** Number of all attempts, including those by hand. */
  calls: integer(),
  /** Time of the next attempt, by the merchant's clock; null if there is none. */
  due_at: nullable(moment()),
  /**
   * Earlier status and due time of a delivery that is resent by hand; null for an attempt of the
   * schedule.
   */
  again_from: nullable(text<DeliveryStatus>()),
  again_due_at: nullable(moment()),
  /** End of the lease of the gateway that sends it, by the machine's clock. */
  lease_until: nullable(moment()),
  lease_owner: nullable(text()),
  created_at: moment(),
  updated_at: moment(),
}

type WebhookDeliveryTable = TableOf<typeof webhookDeliveryColumns>

/** Body of a delivery, frozen at the event. */
export const webhookBodyColumns = {
  /** Id of the delivery. */
  id: createKey('webhook_deliveries'),
  /** JSON text of the object that is sent. */
  body: text(),
  /** Header of the request that caused the delivery; null if the request had none. */
  traceparent: nullable(text()),
}

type WebhookBodyTable = TableOf<typeof webhookBodyColumns>

export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>

export type WebhookBodyRow = Selectable<WebhookBodyTable>

/** A delivery with its body and its trace. */
export type FullDelivery = WebhookDeliveryRow & WebhookBodyRow

/** Returns true if a webhook or a mail gets no further attempt. */
export const isFailed = ({ status }: Pick<WebhookDeliveryRow, 'status'>): boolean =>
  status === 'dead' || status === 'failed'
