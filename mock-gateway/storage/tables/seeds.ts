/**
 * A random seed. Gateways that share the data draw from streams of their own, so that none draws a
 * value twice.
 */
export interface SeedTable {
  /** 0 for the seed of all those who have none of their own. */
  merchant_id: number
  seed: string
  /** Number of streams that were begun. */
  streams: number
  /** A stream that a gateway has left at its end; null when there is none. */
  free_stream: number | null
  /** How many values were drawn from the stream that is free. */
  drawn: number | null
}
