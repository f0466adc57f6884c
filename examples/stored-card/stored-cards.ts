/**
 * Cards that the payment service keeps for the shop's payers: the shop has tokens, never a number.
 */
import { type Merchant, type Payment, signPayment, type Transaction } from '../shared/payment.ts'
import { type Call, Refused } from '../shared/service.ts'
import type { Language } from '../shared/texts.ts'

/** The fields of a stored card that the shop uses. */
export interface StoredCard {
  readonly id: number
  /** Pays like a card number. It stays on the shop's server. */
  readonly token: string
  /** First six and last four digits; stars in between. */
  readonly card_number: string
  readonly card_type: string
  /** Last second in which the card is valid, UTC. */
  readonly expires: string
  readonly status: 'active' | 'cancelled'
}

/**
 * A transaction names the card that it stored or that paid it. If storing failed, it names none;
 * the payment is still valid.
 */
export interface CardTransaction extends Transaction {
  readonly stored_card: { readonly id: number } | null
}

/**
 * Pays with a stored card. @throws Refused when the service or the bank says no, in the payer's
 * language
 */
export function payWithStoredCard(
  call: Call,
  payment: Payment,
  merchant: Merchant,
  { token }: StoredCard,
  locale: Language,
): Promise<CardTransaction> {
  return call('POST', '/v1/transactions', {
    ...signPayment(payment, merchant),
    card_number: token,
    card_type: 'STORED_CARD',
    locale,
  })
}

export const readStoredCard = (call: Call, id: number): Promise<StoredCard> =>
  call('GET', `/v1/stored_cards/${id}`)

/**
 * After this the token pays nothing any more. A card that the service does not know needs no
 * removing.
 */
export async function removeStoredCard(call: Call, { id }: StoredCard): Promise<void> {
  await call('DELETE', `/v1/stored_cards/${id}`).catch((error) => {
    if (!(error instanceof Refused) || error.name !== 'errors.stored_card.not_found') throw error
  })
}
