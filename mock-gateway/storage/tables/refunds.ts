import type { Selectable } from 'kysely'
import {
  amount,
  id,
  key,
  listed,
  moment,
  nullable,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** The columns of `refunds`. */
export const refundColumns = {
  id: listed(key()),
  merchant_id: id(),
  transaction_id: listed(reference('transactions')),
  amount: listed(amount()),
  reason: listed(text()),
  ref: nullable(text()),
  created_at: listed(moment()),
}

type RefundTable = TableOf<typeof refundColumns>
export type RefundRow = Selectable<RefundTable>
