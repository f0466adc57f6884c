import type { Insertable, Selectable } from 'kysely'
import type { Hundredths } from '../domain/money.ts'
import { type Id, tableCodec } from './codec.ts'
import type { Queries } from './schema.ts'

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
export type NewRefundRow = Omit<Insertable<RefundTable>, 'id'>

export const refundCodec = tableCodec<RefundTable>({})

export async function insertRefund(queries: Queries, row: NewRefundRow): Promise<RefundRow> {
  const insert = queries.insertInto('refunds').values(refundCodec.encode(row))
  return refundCodec.decode(await insert.returningAll().executeTakeFirstOrThrow())
}
