import type { StoredCard } from '../contract/wire.ts'
import { wireCardType } from '../domain/card/card-types.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { References } from './references.ts'
import { wireTime } from './time.ts'

/**
 * @param transaction JSON text of the transaction that created or last used the card; undefined if
 *   there is none
 */
export function presentStoredCard(
  row: StoredCardRow,
  references: References,
  transaction: string | undefined,
): StoredCard {
  return {
    id: row.id,
    created_at: wireTime(row.created_at),
    token: row.token,
    card_holder: row.card_holder,
    card_number: row.card_number,
    card_type: wireCardType(row.card_type),
    status: row.status,
    currency: row.currency.toUpperCase(),
    expires: wireTime(row.expires),
    ref: row.ref,
    merchant_id: row.merchant_id,
    test: row.test,
    transaction: transaction ?? null,
    recurring: row.recurring,
    customer: references.customer(row.customer_id),
  }
}
