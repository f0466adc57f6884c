import type { Selectable } from 'kysely'
import type { Webhook } from '../../contract/wire.ts'
import { type Id, tableCodec } from './codec.ts'

/** Pending until it is done; a dead delivery has failed permanently, after its last retry. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'dead'

/**
 * An event for a webhook. Its row is rewritten when it is leased and when it ends, so the body
 * is in a table of its own.
 */
export interface WebhookDeliveryTable {
  id: Id
  merchant_id: number
  /** Shared by all deliveries of one event. */
  event_id: string
  /** Equal in every attempt, so that a receiver recognises a duplicate. */
  message_id: string
  transaction_id: number | null
  /** The webhook of the transaction; null for one of the merchant's templates. */
  webhook_id: number | null
  /** Name of the merchant's template. */
  template: string | null
  type: string
  trigger: string
  url: string | null
  http_method: Webhook['http_method']
  data_format: Webhook['data_format']
  email: string | null
  /**
   * Merchant, host and port: each has a limit of parallel calls, see `hostKey`; empty for e-mail.
   */
  host: string
  status: DeliveryStatus
  /** Number of attempts that followed the schedule. */
  attempts: number
  /** Number of all attempts, including those by hand. */
  calls: number
  /** Time of the next attempt, by the merchant's clock; null if there is none. */
  due_at: number | null
  /**
   * Earlier status and due time of a delivery that is resent by hand; null for an attempt of the
   * schedule.
   */
  again_from: DeliveryStatus | null
  again_due_at: number | null
  /** End of the lease of the gateway that sends it, by the machine's clock. */
  lease_until: number | null
  lease_owner: string | null
  created_at: number
  updated_at: number
}

/** Body of a delivery, frozen at the event. */
export interface WebhookBodyTable {
  /** Id of the delivery. */
  id: number
  /** JSON text of the object that is sent. */
  body: string
  /** Header of the request that caused the delivery; null if the request had none. */
  traceparent: string | null
}

export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>

export type WebhookBodyRow = Selectable<WebhookBodyTable>

/** A delivery with its body and its trace. */
export type FullDelivery = WebhookDeliveryRow & WebhookBodyRow

export const webhookDeliveryCodec = tableCodec<WebhookDeliveryTable>({})
export const webhookBodyCodec = tableCodec<WebhookBodyTable>({})

/** Returns true if a webhook or a mail gets no further attempt. */
export const isFailed = ({ status }: Pick<WebhookDeliveryRow, 'status'>): boolean =>
  status === 'dead' || status === 'failed'
