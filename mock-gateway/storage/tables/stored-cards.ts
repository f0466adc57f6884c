import type { Insertable, Selectable } from 'kysely'
import type { CardType } from '../../domain/card/card-types.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import {
  codecOf,
  flag,
  id,
  key,
  moment,
  nullable,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** The columns of `stored_cards`. */
export const storedCardColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  customer_id: nullable(id()),
  token: text(),
  card_holder: text(),
  /** First six and last four digits; the whole number is never stored. */
  card_number: text(),
  /** MMYY */
  card_expiry: text(),
  card_type: text<CardType>(),
  currency: text<Currency>(),
  status: text<'active' | 'cancelled'>(),
  /** Last moment of its month. */
  expires: moment(),
  ref: nullable(text()),
  test: flag(),
  recurring: flag(),
  /** The transaction that created or last used the card. */
  transaction_id: nullable(id()),
  created_at: moment(),
  updated_at: moment(),
}

export type StoredCardTable = TableOf<typeof storedCardColumns>
export type StoredCardRow = Selectable<StoredCardTable>
export type NewStoredCardRow = Omit<Insertable<StoredCardTable>, 'id'>

export const storedCardCodec = codecOf(storedCardColumns)
