import type { Selectable } from 'kysely'
import { amount, id, key, moment, reference, type TableOf } from './columns.ts'

export const captureColumns = {
  id: key(),
  merchant_id: id(),
  transaction_id: reference('transactions'),
  amount: amount(),
  created_at: moment(),
}

type CaptureTable = TableOf<typeof captureColumns>

export type CaptureRow = Selectable<CaptureTable>
