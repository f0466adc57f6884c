import { count, id, integer, nullable, primary, text } from './columns.ts'

/** Random seed. Gateways that share the data use separate streams, so no value is drawn twice. */
export const seedColumns = {
  /** 0 for the seed of merchants without their own. */
  merchant_id: primary(id()),
  seed: text(),
  /** Number of started streams. */
  streams: integer(),
  /** A stream that a gateway freed at its end; null if there is none. */
  free_stream: nullable(integer()),
  /** Number of values that were drawn from the free stream. */
  drawn: nullable(count()),
}
