import type { Merchant } from '../domain/merchant.ts'
import type { FullDelivery } from '../storage/tables/webhook-deliveries.ts'
import { unavailability } from '../storage/unavailable.ts'
import { type CallOutcome, noReply, type Reply } from './reply.ts'

/** One attempt to send a delivery. */
export interface DeliveryAttempt {
  readonly delivery: FullDelivery
  readonly merchant: Merchant
  /** Counts from 1, those by hand included. */
  readonly attempt: number
  /** Seconds since 1970 by the machine's clock. */
  readonly timestamp: number
}

/** What became of sending a delivery once. */
export interface SendResult {
  readonly outcome: CallOutcome
  /**
   * As the webhook shows it: the body, of a GET the fields of its query, of a mail its text; null
   * when nothing was sent.
   */
  readonly requestBody: string | null
  /** Of a call. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly reply: Reply
}

/** A delivery that was sent. */
export interface DeliveryCall {
  readonly delivery: FullDelivery
  readonly merchant: Merchant
  readonly sent: SendResult
  /** Milliseconds that it took. */
  readonly duration: number
}

/** Sends deliveries of one type; when `signal` is aborted it ends soon, whatever comes of it. */
export type Transport = (sending: DeliveryAttempt, signal: AbortSignal) => Promise<SendResult>

/**
 * A failure, told at once: what cannot be sent, or kept, now cannot be later. @throws the error
 * when it is the database that is away
 */
export function createFailure(error: unknown): SendResult {
  if (!(error instanceof Error) || unavailability(error) !== undefined) throw error
  return { outcome: 'failed', requestBody: null, reply: noReply(error.message) }
}

/**
 * Sends a delivery once. @param machine epoch milliseconds of the machine @throws what `failedBy`
 * throws
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
