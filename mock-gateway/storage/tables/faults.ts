import type { Selectable } from 'kysely'
import type { FaultKind } from '../../domain/fault-kinds.ts'
import { type Id, tableCodec } from './codec.ts'

/** A rule that waits for requests. */
export interface FaultTable {
  id: Id
  /** Merchant; null: affects requests before the login. */
  merchant_id: number | null
  kind: FaultKind
  /** Delay of latency and late_answer; 0 for other kinds. */
  milliseconds: number
  /** HTTP method in capitals; null: every method. */
  method: string | null
  /** Start of the path of affected requests; null: every path. */
  path: string | null
  /** Number of requests to affect; null: until it is deleted. */
  times: number | null
  /** End, epoch milliseconds of the machine; null: `times` decides. */
  until: number | null
  /** Share of the matching requests, above 0 up to 1. */
  probability: number
  seed: string
  /** Number of affected requests. */
  struck: number
  /** Number of requests that matched, and so of values drawn from its seed. */
  drawn: number
}

export type FaultRow = Selectable<FaultTable>

export const faultCodec = tableCodec<FaultTable>({})
