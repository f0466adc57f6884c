import type { Insertable, Selectable } from 'kysely'
import type { Hundredths } from '../domain/money.ts'
import { type Id, tableCodec } from './codec.ts'
import type { Queries } from './schema.ts'

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

export async function insertCapture(queries: Queries, row: NewCaptureRow): Promise<void> {
  await queries.insertInto('captures').values(captureCodec.encode(row)).execute()
}
