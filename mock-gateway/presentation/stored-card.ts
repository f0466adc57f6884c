import type { Customer } from '../contract/customer.ts'
import type { StoredCard } from '../contract/stored-card.ts'
import { type CardType, wireCardType } from '../domain/cards.ts'
import type { StoredCardRow } from '../storage/stored-cards.ts'
import { wireTime } from './time.ts'

/** What `extend` and the API's stored card calls know beyond the row. */
export interface StoredCardExtras {
  readonly customer?: Customer | undefined
  /** JSON text of the transaction that created or last used the card. */
  readonly transaction?: string | undefined
}

export function presentStoredCard(row: StoredCardRow, extras: StoredCardExtras = {}): StoredCard {
  return {
    id: row.id,
    created_at: wireTime(row.created_at),
    token: row.token,
    card_holder: row.card_holder,
    card_number: row.card_number,
    card_type: wireCardType(row.card_type as CardType),
    status: row.status,
    currency: row.currency.toUpperCase(),
    expires: wireTime(row.expires),
    ref: row.ref,
    merchant_id: row.merchant_id,
    test: row.test === 1,
    transaction: extras.transaction ?? null,
    recurring: row.recurring === 1,
    customer: extras.customer ?? (row.customer_id === null ? null : { id: row.customer_id }),
  }
}
