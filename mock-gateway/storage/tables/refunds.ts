import type { Selectable } from 'kysely'
import type { Hundredths } from '../../domain/money/money.ts'
import { type Id, tableCodec } from './codec.ts'

export interface RefundTable {
  id: Id
  merchant_id: number
  transaction_id: number
  amount: Hundredths
  reason: string
  ref: string | null
  created_at: number
}

export type RefundRow = Selectable<RefundTable>

export const refundCodec = tableCodec<RefundTable>({})
