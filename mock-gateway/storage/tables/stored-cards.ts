import type { Insertable, Selectable } from 'kysely'
import type { CardType } from '../../domain/card/card-types.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { FLAG, type Id, tableCodec } from './codec.ts'

export interface StoredCardTable {
  id: Id
  merchant_id: number
  customer_id: number | null
  token: string
  card_holder: string
  /** First six and last four digits; the whole number is never stored. */
  card_number: string
  /** MMYY */
  card_expiry: string
  card_type: CardType
  currency: Currency
  status: 'active' | 'cancelled'
  /** Last moment of its month. */
  expires: number
  ref: string | null
  test: boolean
  recurring: boolean
  /** The transaction that created or last used the card. */
  transaction_id: number | null
  created_at: number
  updated_at: number
}

export type StoredCardRow = Selectable<StoredCardTable>
export type NewStoredCardRow = Omit<Insertable<StoredCardTable>, 'id'>

export const storedCardCodec = tableCodec<StoredCardTable>({ test: FLAG, recurring: FLAG })
