import type { Insertable, Selectable } from 'kysely'
import type { Hundredths } from '../../domain/money/money.ts'
import type { ForcedOutcome } from '../../domain/order/decision.ts'
import { type Id, tableCodec } from './codec.ts'

/** A capture that the bank has taken, and not answered yet. */
export interface PendingCaptureTable {
  id: Id
  /** One for each transaction. */
  transaction_id: number
  merchant_id: number
  amount: Hundredths
  /** The bank's future answer. */
  outcome: ForcedOutcome
  /** When it answers: epoch milliseconds on the merchant's clock. */
  answer_at: number
}

export type PendingCaptureRow = Selectable<PendingCaptureTable>

export const pendingCaptureCodec = tableCodec<PendingCaptureTable>({})
export type NewPendingCaptureRow = Insertable<PendingCaptureTable>
