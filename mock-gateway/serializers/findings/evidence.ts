import type { JsonObject } from '../../domain/json.ts'
import type { Notice } from '../../domain/notices.ts'
import type { ReturnFailureRow } from '../../storage/tables/payment-parts.ts'
import { type RequestRow, readContents } from '../../storage/tables/requests.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { DeliveryHead } from '../../storage/webhook-deliveries.ts'

/** A request that was accepted, as input for findings. */
export interface SeenRequest {
  readonly id: string
  /** Epoch milliseconds by the merchant's clock. */
  readonly at: number
  /** For example `POST /v1/transactions`. */
  readonly call: string
  readonly notices: readonly Notice[]
  /** As stored: secret parameters without their values. */
  readonly sent: JsonObject
  /** True if it contained a password, so it does not come from a payer's browser. */
  readonly loggedIn: boolean
  readonly transactionId: number | null
}

/** A pending or sent webhook. */
export interface SeenDelivery {
  readonly id: number
  readonly at: number
  readonly eventId: string
  /** Duplicates on purpose share it. */
  readonly messageId: string
  readonly trigger: string
  /** Destination; null for a mail. */
  readonly url: string | null
  /** Duration of its longest attempt in milliseconds; 0 before the first attempt. */
  readonly longest: number
  readonly transactionId: number | null
}

/** All input of the findings, the newest first. */
export interface Evidence {
  readonly requests: readonly SeenRequest[]
  readonly deliveries: readonly SeenDelivery[]
  readonly returnFailures: readonly ReturnFailureRow[]
}

/**
 * @param row of a request; rejected requests are skipped, because their error already states the
 *   problem
 */
export function describeSeenRequest(row: Omit<RequestRow, 'answer'>): SeenRequest[] {
  if (row.error !== null) return []
  const { sent, headers, notices } = readContents(row)
  return [
    {
      id: row.request_id,
      at: row.created_at,
      call: `${row.method} ${row.route ?? ''}`,
      notices,
      sent: sent ?? {},
      loggedIn: headers.authorization !== undefined,
      transactionId: row.transaction_id,
    },
  ]
}

/** @param attempts of these deliveries, possibly among others */
export function describeSeenDeliveries(
  rows: readonly DeliveryHead[],
  attempts: readonly Pick<WebhookAttemptRow, 'delivery_id' | 'duration'>[],
): SeenDelivery[] {
  const longest = new Map<number, number>()
  for (const { delivery_id, duration } of attempts)
    longest.set(delivery_id, Math.max(duration, longest.get(delivery_id) ?? 0))
  return rows.map((row) => ({
    id: row.id,
    at: row.created_at,
    eventId: row.event_id,
    messageId: row.message_id,
    trigger: row.trigger,
    url: row.url,
    longest: longest.get(row.id) ?? 0,
    transactionId: row.transaction_id,
  }))
}
