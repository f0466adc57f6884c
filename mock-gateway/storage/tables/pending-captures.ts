import type { Insertable, Selectable } from 'kysely'
import type { Hundredths } from '../../domain/money/money.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'
import { type Id, tableCodec } from './codec.ts'

/** A capture that the bank has received and not answered yet. */
export interface PendingCaptureTable {
  id: Id
  /** Transaction, which has at most one pending capture. */
  transaction_id: number
  merchant_id: number
  amount: Hundredths
  /** The bank's future answer. */
  outcome: ForcedOutcome
  /** Time of the answer: epoch milliseconds by the merchant's clock. */
  answer_at: number
}

export type PendingCaptureRow = Selectable<PendingCaptureTable>

export const pendingCaptureCodec = tableCodec<PendingCaptureTable>({})
export type NewPendingCaptureRow = Insertable<PendingCaptureTable>
