import type { Selectable } from 'kysely'
import { key, moment, reference, type TableOf, text } from './columns.ts'

/** A payer who was sent to an address of the shop that accepted no connection. */
export const returnFailureColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  transaction_id: reference('transactions'),
  /** Scheme, host and port, such as `https://shop.example`. */
  address: text(),
  /** Reason in one or two sentences. */
  reason: text(),
  created_at: moment(),
}

type ReturnFailureTable = TableOf<typeof returnFailureColumns>

export type ReturnFailureRow = Selectable<ReturnFailureTable>
