import type { Selectable } from 'kysely'
import type { PaymentLinkTerms } from '../../domain/order/payment-link.ts'
import { FLAG, type Id, tableCodec } from './codec.ts'

export interface PaymentLinkTable extends PaymentLinkTerms {
  id: Id
  merchant_id: number
  /** The end of its address. */
  token: string
  /** Number of started payments, and so the number of the last one. */
  begun: number
  /** When the merchant ended it; null while it has not. */
  closed_at: number | null
  created_at: number
  updated_at: number
}

export type PaymentLinkRow = Selectable<PaymentLinkTable>

export const paymentLinkCodec = tableCodec<PaymentLinkTable>({ test: FLAG })
