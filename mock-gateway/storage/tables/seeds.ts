/** Random seed. Gateways that share the data use separate streams, so no value is drawn twice. */
export interface SeedTable {
  /** 0 for the seed of merchants without their own. */
  merchant_id: number
  seed: string
  /** Number of started streams. */
  streams: number
  /** A stream that a gateway freed at its end; null if there is none. */
  free_stream: number | null
  /** Number of values that were drawn from the free stream. */
  drawn: number | null
}
