import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'

/** A payer who was sent to an address of the shop that accepted no connection. */
export interface ReturnFailureTable {
  id: Id
  merchant_id: number
  transaction_id: number
  /** Scheme, host and port, such as `https://shop.example`. */
  address: string
  /** Reason in one or two sentences. */
  reason: string
  created_at: number
}

export type ReturnFailureRow = Selectable<ReturnFailureTable>
export type NewReturnFailureRow = Omit<Insertable<ReturnFailureTable>, 'id'>

export const returnFailureCodec = tableCodec<ReturnFailureTable>({})
