import type { Selectable } from 'kysely'
import {
  amount,
  codecOf,
  id,
  key,
  moment,
  nullable,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** The columns of `refunds`. */
export const refundColumns = {
  id: key(),
  merchant_id: id(),
  transaction_id: reference('transactions'),
  amount: amount(),
  reason: text(),
  ref: nullable(text()),
  created_at: moment(),
}

type RefundTable = TableOf<typeof refundColumns>
export type RefundRow = Selectable<RefundTable>

export const refundCodec = codecOf(refundColumns)
