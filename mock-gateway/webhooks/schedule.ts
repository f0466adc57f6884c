import { createSeededBytes } from '../domain/chance.ts'
import type { NotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import type { DeliveryChanges } from '../storage/webhook-deliveries.ts'
import type { CallOutcome } from './transport.ts'

/** Retries of a delivery after its first attempt (specification: Delivery rules 3). */
export const RETRIES = 20

/** Random numbers for retries are below this. */
export const DRAWN_BELOW = 30

/**
 * Calculates the seconds from an attempt to the next (specification: Delivery rules 4).
 * @param n 0 after the first attempt (our decision: as in the queue that this formula comes from)
 * @param drawn a whole number from 0 to 29
 */
export const retryDelay = (n: number, drawn: number): number => n ** 4 + 15 + drawn * (n + 1)

/**
 * Derives the random number of a retry from the message id, which is random. The random source of
 * tokens is not used, because then a shop's answers would change the tokens of a seed.
 */
const drawForRetry = ({
  message_id,
  calls,
}: Pick<WebhookDeliveryRow, 'message_id' | 'calls'>): number =>
  draw(createSeededBytes(`${message_id} ${calls}`))

/** Draws a number from 0 to 29, uniformly. */
export function draw(randomBytes: (count: number) => Uint8Array): number {
  const fair = 256 - (256 % DRAWN_BELOW)
  for (;;) {
    const [byte = 0] = randomBytes(1)
    if (byte < fair) return byte % DRAWN_BELOW
  }
}

/** Effect of an attempt on its delivery, and its line on the dashboard. */
export interface AttemptEffect {
  readonly changes: DeliveryChanges
  readonly notice?: NotificationRow['kind']
}

/**
 * Decides what follows from an attempt (specification: Delivery rules 3 to 5). An attempt by hand
 * does not count as a retry: unless it succeeds, the delivery is unchanged.
 * @param now epoch milliseconds by the merchant's clock
 */
export function calculateAttemptEffect(
  delivery: WebhookDeliveryRow,
  outcome: CallOutcome,
  now: number,
): AttemptEffect {
  const calls = delivery.calls + 1
  const ended = { calls, due_at: null, again_from: null, again_due_at: null, updated_at: now }
  if (delivery.again_from !== null) {
    const changes =
      outcome === 'delivered' ? {} : { status: delivery.again_from, due_at: delivery.again_due_at }
    return { changes: { ...ended, status: 'delivered', ...changes } }
  }
  const counted = { ...ended, attempts: delivery.attempts + 1 }
  if (outcome === 'delivered') return { changes: { ...counted, status: 'delivered' } }
  if (outcome === 'failed')
    return { changes: { ...counted, status: 'failed' }, notice: 'webhook_failed' }
  if (delivery.attempts >= RETRIES)
    return { changes: { ...counted, status: 'dead' }, notice: 'webhook_dead' }
  return {
    changes: {
      ...counted,
      due_at: now + retryDelay(delivery.attempts, drawForRetry(delivery)) * 1000,
    },
  }
}
