import type { SentCard } from '../cards/payment-card.ts'
import { type CallParameters, type Parameters, text } from './parameters/parameters.ts'

/** The four parameters that make a card (specification: Create transaction, Update transaction). */
export const CARD_DATA_FIELDS = ['card_number', 'card_holder', 'card_cvv', 'card_expiry'] as const

/** What may say which card pays. */
export const CARD_FIELDS = [...CARD_DATA_FIELDS, 'card_type'] as const

/** The card of a request as it was sent; whether it can pay is said when it is to pay. */
export const readSentCard = (sent: CallParameters<(typeof CARD_FIELDS)[number]>): SentCard => ({
  ...readCardData(sent),
  type: text(sent, 'card_type'),
})

/** As `readSentCard`, of a card that was typed: no type makes a token of it. */
export const readCardData = (
  sent: CallParameters<(typeof CARD_DATA_FIELDS)[number]>,
): SentCard => ({
  type: undefined,
  number: text(sent, 'card_number'),
  holder: text(sent, 'card_holder'),
  cvv: text(sent, 'card_cvv'),
  expiry: text(sent, 'card_expiry'),
})

/** True when a request brings card data, complete or not. */
export const hasCardData = (parameters: Parameters): boolean =>
  CARD_DATA_FIELDS.some((name) => text(parameters, name) !== undefined)
