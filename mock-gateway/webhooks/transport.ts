import type { Merchant } from '../domain/merchant.ts'
import { performance } from '../domain/timers.ts'
import type { FullDelivery } from '../storage/tables/webhook-deliveries.ts'
import { explainUnavailability } from '../storage/unavailable.ts'

/** One attempt to send a delivery. */
export interface DeliveryAttempt {
  readonly delivery: FullDelivery
  readonly merchant: Merchant
  /** Counts from 1, including attempts by hand. */
  readonly attempt: number
  /** Seconds since 1970 by the machine's clock. */
  readonly timestamp: number
}

/** Result of an attempt. */
interface SendResult {
  readonly outcome: CallOutcome
  /**
   * Request as shown in the webhook: the body, the query of a GET, or the text of a mail; null if
   * nothing was sent.
   */
  readonly requestBody: string | null
  /** For HTTP calls. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly reply: Reply
}

/** A delivery after an attempt. */
export interface DeliveryCall {
  readonly delivery: FullDelivery
  readonly merchant: Merchant
  readonly sent: SendResult
  /** Duration in milliseconds. */
  readonly duration: number
}

/** Sends deliveries of one type; ends soon after `signal` is aborted. */
export type Transport = (sending: DeliveryAttempt, signal: AbortSignal) => Promise<SendResult>

/**
 * Creates a final failure: data that cannot be sent or stored now cannot be sent later either.
 * @throws the error if the database is unavailable
 */
export function createFailure(error: unknown): SendResult {
  if (!(error instanceof Error) || explainUnavailability(error) !== undefined) throw error
  return { outcome: 'failed', requestBody: null, reply: createMissingReply(error.message) }
}

/**
 * Sends a delivery once. @param machine epoch milliseconds of the machine @throws the errors of
 * `createFailure`
 */
export async function sendOnce(
  send: Transport,
  { delivery, merchant }: Pick<DeliveryCall, 'delivery' | 'merchant'>,
  machine: () => number,
  signal: AbortSignal,
): Promise<DeliveryCall> {
  const started = performance.now()
  const timestamp = Math.floor(machine() / 1000)
  const sent = await send(
    { delivery, merchant, attempt: delivery.calls + 1, timestamp },
    signal,
  ).catch(createFailure)
  return { delivery, merchant, sent, duration: Math.round(performance.now() - started) }
}

/** Answer of a target, as shown in the webhook (specification: Webhook, response). */
export interface Reply {
  /** HTTP status; null if the answer was incomplete. */
  readonly code: number | null
  /** The beginning of the body; null if there was none to read. */
  readonly body: string | null
  /** HTTP status text, such as `Not Found`. */
  readonly message: string | null
  readonly headers: Readonly<Record<string, string>> | null
  /** Reason of an incomplete answer; null otherwise. */
  readonly error: string | null
}

/** Creates the reply of a call without an answer. */
export const createMissingReply = (error: string | null): Reply => ({
  code: null,
  body: null,
  message: null,
  headers: null,
  error,
})

/** Answers that are retried (specification: a 500 answer; the rest is our switch). */
export const RETRY_ON = ['500', '5xx', '5xx+network'] as const
export type RetryOn = (typeof RETRY_ON)[number]

/** Result of a call: delivered, retried later, or failed and reported. */
export type CallOutcome = 'delivered' | 'retry' | 'failed'

/** @param retryOn answers that are retried */
export function decideOutcome(
  { code }: Pick<Reply, 'code'>,
  retryOn: RetryOn = '500',
): CallOutcome {
  if (code === null) return retryOn === '5xx+network' ? 'retry' : 'failed'
  if (code >= 200 && code < 300) return 'delivered'
  const isRetried = code === 500 || (retryOn !== '500' && code >= 500 && code < 600)
  return isRetried ? 'retry' : 'failed'
}
