import { seededBytes } from '../domain/chance.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'

/** Retries of a delivery after its first attempt (specification: Delivery rules 3). */
export const RETRIES = 20

/** What is drawn for each retry is below this. */
export const DRAWN_BELOW = 30

/**
 * Seconds from an attempt to the next (specification: Delivery rules 4).
 * @param n 0 after the first attempt (our decision: as the queue had it whose formula this is)
 * @param drawn a whole number from 0 to 29
 */
export const retryDelay = (n: number, drawn: number): number => n ** 4 + 15 + drawn * (n + 1)

/**
 * What is drawn for the retry after so many calls. It follows from the id of the message, which is
 * random: drawn from the chance that makes tokens, it would change those of a seed by when a shop
 * answers.
 */
export const drawForRetry = ({
  message_id,
  calls,
}: Pick<WebhookDeliveryRow, 'message_id' | 'calls'>): number =>
  draw(seededBytes(`${message_id} ${calls}`))

/** One of 0 to 29, each as likely. */
export function draw(randomBytes: (count: number) => Uint8Array): number {
  const fair = 256 - (256 % DRAWN_BELOW)
  for (;;) {
    const [byte = 0] = randomBytes(1)
    if (byte < fair) return byte % DRAWN_BELOW
  }
}
