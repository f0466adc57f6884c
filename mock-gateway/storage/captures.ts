import type { Insertable, Selectable } from 'kysely'
import type { Id } from './codec.ts'
import type { Queries } from './schema.ts'

export interface CaptureTable {
  id: Id
  merchant_id: number
  transaction_id: number
  amount: number
  created_at: number
}

export type CaptureRow = Selectable<CaptureTable>

export async function insertCapture(queries: Queries, row: Insertable<CaptureTable>): Promise<void> {
  await queries.insertInto('captures').values(row).execute()
}
