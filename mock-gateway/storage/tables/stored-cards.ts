import { CARD_TYPES } from '../../domain/card/card-types.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import {
  flag,
  id,
  key,
  listed,
  moment,
  type NewRowOf,
  nullable,
  oneOf,
  type RowOf,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** The columns of `stored_cards`. */
export const storedCardColumns = {
  id: listed(key()),
  merchant_id: reference('merchants'),
  customer_id: listed(nullable(id())),
  token: listed(text()),
  card_holder: listed(text()),
  /** First six and last four digits; the whole number is never stored. */
  card_number: listed(text()),
  /** MMYY */
  card_expiry: text(),
  card_type: listed(oneOf(CARD_TYPES), 'word'),
  currency: listed(text<Currency>(), 'word'),
  status: listed(text<'active' | 'cancelled'>(), 'word'),
  /** Last moment of its month. */
  expires: listed(moment()),
  ref: nullable(text()),
  test: listed(flag()),
  recurring: flag(),
  /** The transaction that created or last used the card. */
  transaction_id: nullable(id()),
  created_at: listed(moment()),
  updated_at: listed(moment()),
}

export type StoredCardTable = TableOf<typeof storedCardColumns>
export type StoredCardRow = RowOf<typeof storedCardColumns>
export type NewStoredCardRow = NewRowOf<typeof storedCardColumns>
