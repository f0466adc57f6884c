import type { Selectable } from 'kysely'
import type { FaultKind } from '../../domain/fault-kinds.ts'
import { type Id, tableCodec } from './codec.ts'

/** A rule that waits for requests. */
export interface FaultTable {
  id: Id
  /** Null: affects requests before the login. */
  merchant_id: number | null
  kind: FaultKind
  /** Delay of latency and late_answer; 0 for other kinds. */
  milliseconds: number
  /** In capitals; null is every one. */
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
  /** How many requests have matched: the next draw of its seed. */
  drawn: number
}

export type FaultRow = Selectable<FaultTable>

export const faultCodec = tableCodec<FaultTable>({})
