import { explainFailure } from './explain-failure.ts'
import { targetOf } from './notice.ts'
import type { DeliveryCall } from './transport.ts'

/** What the log tells of one attempt to send a webhook. */
export interface AttemptLine {
  /** Null before a payment: it has no id yet. */
  readonly delivery_id: number | null
  readonly transaction_id: number | null
  readonly trigger: string
  /** Without what may be a secret. */
  readonly target: string
  /** From 1. */
  readonly attempt: number
  readonly outcome: string
  /** Of HTTP, or of SMTP; null when there was no whole answer. */
  readonly status: number | null
  /** Why there was none. */
  readonly error: string | null
  /** Why a call failed and what to do; null after success, and of a mail. */
  readonly explain: string | null
  readonly duration_ms: number
  /** ISO 8601, by the merchant's clock; null when there is none. */
  readonly next_try: string | null
}

/** @param dueAt epoch milliseconds of the next try */
export const attemptLine = (
  { delivery, sent, duration }: DeliveryCall,
  dueAt?: number | null,
): AttemptLine => ({
  delivery_id: delivery.id || null,
  transaction_id: delivery.transaction_id,
  trigger: delivery.trigger,
  target: targetOf(delivery),
  attempt: delivery.calls + 1,
  outcome: sent.outcome,
  status: sent.reply.code,
  error: sent.reply.error,
  explain: (delivery.url !== null && explainFailure(sent.reply)) || null,
  duration_ms: duration,
  next_try: dueAt == null ? null : new Date(dueAt).toISOString(),
})
