import type { Insertable, Selectable } from 'kysely'
import type { Hundredths } from '../../domain/money/money.ts'
import { type Id, tableCodec } from './codec.ts'

export interface CaptureTable {
  id: Id
  merchant_id: number
  transaction_id: number
  amount: Hundredths
  created_at: number
}

export type CaptureRow = Selectable<CaptureTable>
export type NewCaptureRow = Omit<Insertable<CaptureTable>, 'id'>

export const captureCodec = tableCodec<CaptureTable>({})
