import type { Customer } from './customer.ts'
import type { Reference } from './reference.ts'

/** A token for a card the payer let the merchant keep (specification: Stored card; observed: 7.3). */
export interface StoredCard {
  readonly id: number
  readonly created_at: string
  readonly token: string
  readonly card_holder: string
  readonly card_number: string
  readonly card_type: string
  readonly status: 'active' | 'cancelled'
  /** Upper case here, lower case in transactions (observed: 15.27). */
  readonly currency: string
  readonly expires: string
  readonly ref: string | null
  readonly merchant_id: number
  readonly test: boolean
  /** JSON text of the transaction that created or last used the card (specification: Stored card). */
  readonly transaction: string | null
  readonly recurring: boolean
  readonly customer: Reference | Customer | null
}
