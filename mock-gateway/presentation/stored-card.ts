import type { StoredCard } from '../contract/stored-card.ts'
import { type CardType, wireCardType } from '../domain/cards.ts'
import type { StoredCardRow } from '../storage/stored-cards.ts'
import { BY_ID, type References } from './references.ts'
import { wireTime } from './time.ts'

/** @param transaction JSON text of the transaction that created or last used the card, where it is known */
export function presentStoredCard(
  row: StoredCardRow,
  references: References = BY_ID,
  transaction: string | null = null,
): StoredCard {
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
    transaction,
    recurring: row.recurring === 1,
    customer: references.customer(row.customer_id),
  }
}
