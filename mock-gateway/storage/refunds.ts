import type { Insertable, Selectable } from 'kysely'
import type { Id } from './codec.ts'
import type { Queries } from './schema.ts'

export interface RefundTable {
  id: Id
  merchant_id: number
  transaction_id: number
  amount: number
  reason: string
  ref: string | null
  created_at: number
}

export type RefundRow = Selectable<RefundTable>

export function insertRefund(queries: Queries, row: Insertable<RefundTable>): Promise<RefundRow> {
  return queries.insertInto('refunds').values(row).returningAll().executeTakeFirstOrThrow()
}
