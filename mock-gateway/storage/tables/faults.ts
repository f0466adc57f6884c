import type { Selectable } from 'kysely'
import type { FaultKind } from '../../domain/fault-kinds.ts'
import { id, integer, key, moment, nullable, real, type TableOf, text } from './columns.ts'

/** A rule that waits for requests. */
export const faultColumns = {
  id: key(),
  /** Merchant; null: affects requests before the login. */
  merchant_id: nullable(id()),
  kind: text<FaultKind>(),
  /** Delay of latency and late_answer; 0 for other kinds. */
  milliseconds: integer(),
  /** HTTP method in capitals; null: every method. */
  method: nullable(text()),
  /** Start of the path of affected requests; null: every path. */
  path: nullable(text()),
  /** Number of requests to affect; null: until it is deleted. */
  times: nullable(integer()),
  /** End, epoch milliseconds of the machine; null: `times` decides. */
  until: nullable(moment()),
  /** Share of the matching requests, above 0 up to 1. */
  probability: real(),
  seed: text(),
  /** Number of affected requests. */
  struck: integer(),
  /** Number of requests that matched, and so of values drawn from its seed. */
  drawn: integer(),
}

type FaultTable = TableOf<typeof faultColumns>

export type FaultRow = Selectable<FaultTable>
