import { type NewRefundRow, type RefundRow, refundCodec } from './tables/refunds.ts'
import type { Queries } from './tables/schema.ts'

export async function insertRefund(queries: Queries, row: NewRefundRow): Promise<RefundRow> {
  const insert = queries.insertInto('refunds').values(refundCodec.encode(row))
  return refundCodec.decode(await insert.returningAll().executeTakeFirstOrThrow())
}
