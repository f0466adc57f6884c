import { expiresAt } from '../domain/card/expiry.ts'
import { storedCardToken } from '../domain/identifiers.ts'
import type { Work } from '../work/work.ts'
import type { NewCard } from './payment-card.ts'

/** Returns the columns of a new stored card that follow from the card. */
export const newStoredCardRow = ({ now, randomBytes }: Work, card: NewCard) => ({
  token: storedCardToken(randomBytes),
  card_holder: card.holder,
  card_number: card.maskedNumber,
  card_expiry: card.expiry,
  card_type: card.brand,
  status: 'active' as const,
  expires: expiresAt(card.expiry),
  created_at: now,
  updated_at: now,
})
