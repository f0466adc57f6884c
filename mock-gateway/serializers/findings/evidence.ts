import type { JsonObject } from '../../domain/json.ts'
import { contentsIn, type RequestRow } from '../../storage/tables/requests.ts'
import type { ReturnFailureRow } from '../../storage/tables/return-failures.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { DeliveryHead } from '../../storage/webhook-deliveries.ts'

/** A request that was not refused, as findings look at it. */
export interface SeenRequest {
  readonly id: string
  /** Epoch milliseconds, by the merchant's clock. */
  readonly at: number
  /** Such as `POST /v1/transactions`. */
  readonly call: string
  readonly explain: string
  /** As it is kept: of what is not written down only the names. */
  readonly sent: JsonObject
  /** Whether it brought a password: none comes from a payer's browser. */
  readonly loggedIn: boolean
  readonly transactionId: number | null
}

/** A webhook that was sent, or is to be. */
export interface SeenDelivery {
  readonly id: number
  readonly at: number
  readonly eventId: string
  /** The same of what is sent twice on purpose. */
  readonly messageId: string
  readonly trigger: string
  /** Address that it goes to; null for a mail. */
  readonly url: string | null
  /** Milliseconds that its longest attempt took; 0 when there was none. */
  readonly longest: number
  readonly transactionId: number | null
}

/** All that findings are made from, the newest first. */
export interface Evidence {
  readonly requests: readonly SeenRequest[]
  readonly deliveries: readonly SeenDelivery[]
  readonly returnFailures: readonly ReturnFailureRow[]
}

/** @param row of a request; one that was refused is no evidence: its error says what is wrong */
export function seenRequest(row: Omit<RequestRow, 'answer'>): SeenRequest[] {
  if (row.error !== null) return []
  const { sent, headers } = contentsIn(row)
  return [
    {
      id: row.request_id,
      at: row.created_at,
      call: `${row.method} ${row.route ?? ''}`,
      explain: row.explain ?? '',
      sent: sent ?? {},
      loggedIn: headers.authorization !== undefined,
      transactionId: row.transaction_id,
    },
  ]
}

/** @param attempts of these deliveries, or of others too */
export function seenDeliveries(
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
