import { seededBytes } from '../domain/chance.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'

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
export const drawForRetry = ({
  message_id,
  calls,
}: Pick<WebhookDeliveryRow, 'message_id' | 'calls'>): number =>
  draw(seededBytes(`${message_id} ${calls}`))

/** Draws a number from 0 to 29, uniformly. */
export function draw(randomBytes: (count: number) => Uint8Array): number {
  const fair = 256 - (256 % DRAWN_BELOW)
  for (;;) {
    const [byte = 0] = randomBytes(1)
    if (byte < fair) return byte % DRAWN_BELOW
  }
}
