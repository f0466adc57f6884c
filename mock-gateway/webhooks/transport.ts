import type { Merchant } from '../domain/merchant.ts'
import { performance } from '../domain/timers.ts'
import type { FullDelivery } from '../storage/tables/webhook-deliveries.ts'
import { unavailability } from '../storage/unavailable.ts'
import { type CallOutcome, noReply, type Reply } from './reply.ts'

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
export interface SendResult {
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
  if (!(error instanceof Error) || unavailability(error) !== undefined) throw error
  return { outcome: 'failed', requestBody: null, reply: noReply(error.message) }
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
