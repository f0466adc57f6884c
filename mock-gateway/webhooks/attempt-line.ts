import { explainFailure } from '../domain/webhook/explain-failure.ts'
import { formatTarget } from './notice.ts'
import type { DeliveryCall } from './transport.ts'

/** Log line of one attempt to send a webhook. */
export interface AttemptLine {
  /** Null before a payment: the delivery has no id yet. */
  readonly delivery_id: number | null
  readonly transaction_id: number | null
  readonly trigger: string
  /** Without possible secrets. */
  readonly target: string
  /** From 1. */
  readonly attempt: number
  readonly outcome: string
  /** Status of HTTP or SMTP; null if the answer was incomplete. */
  readonly status: number | null
  /** Reason of an incomplete answer. */
  readonly error: string | null
  /** Why a call failed and how to fix it; null after success, and for mails. */
  readonly explain: string | null
  readonly duration_ms: number
  /** ISO 8601 by the merchant's clock; null if there is no retry. */
  readonly next_try: string | null
}

/** @param dueAt epoch milliseconds of the next attempt */
export const attemptLine = (
  { delivery, sent, duration }: DeliveryCall,
  dueAt?: number | null,
): AttemptLine => ({
  delivery_id: delivery.id || null,
  transaction_id: delivery.transaction_id,
  trigger: delivery.trigger,
  target: formatTarget(delivery),
  attempt: delivery.calls + 1,
  outcome: sent.outcome,
  status: sent.reply.code,
  error: sent.reply.error,
  explain: (delivery.url !== null && explainFailure(sent.reply, delivery.url)) || null,
  duration_ms: duration,
  next_try: dueAt == null ? null : new Date(dueAt).toISOString(),
})
