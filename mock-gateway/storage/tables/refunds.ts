import type { Selectable } from 'kysely'
import { amount, codecOf, filledIn, id, moment, nullable, type TableOf, text } from './columns.ts'

/** The columns of `refunds`. */
export const refundColumns = {
  id: filledIn(id()),
  merchant_id: id(),
  transaction_id: id(),
  amount: amount(),
  reason: text(),
  ref: nullable(text()),
  created_at: moment(),
}

export type RefundTable = TableOf<typeof refundColumns>
export type RefundRow = Selectable<RefundTable>

export const refundCodec = codecOf(refundColumns)
