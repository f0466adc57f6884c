import type { SentCard } from '../cards/payment-card.ts'
import { type CardForm, createPlainCard } from '../domain/card/rules.ts'
import { type CallParameters, type Parameters, text } from './parameters/parameters.ts'

/** The four parameters of a card (specification: Create transaction, Update transaction). */
export const CARD_DATA_FIELDS = ['card_number', 'card_holder', 'card_cvv', 'card_expiry'] as const

/** Parameters that select the card. */
export const CARD_FIELDS = [...CARD_DATA_FIELDS, 'card_type'] as const

/** Reads the card of a request as sent; it is validated when it pays. */
export const readSentCard = (sent: CallParameters<(typeof CARD_FIELDS)[number]>): SentCard => ({
  ...readCardData(sent),
  type: text(sent, 'card_type'),
})

/** Like `readSentCard`, for a typed card: a card_type cannot turn it into a token. */
export const readCardData = (
  sent: CallParameters<(typeof CARD_DATA_FIELDS)[number]>,
): SentCard => ({
  type: undefined,
  number: text(sent, 'card_number'),
  holder: text(sent, 'card_holder'),
  cvv: text(sent, 'card_cvv'),
  expiry: text(sent, 'card_expiry'),
})

/** Returns true if a request contains card data, complete or not. */
export const hasCardData = (parameters: Parameters): boolean =>
  CARD_DATA_FIELDS.some((name) => text(parameters, name) !== undefined)

/** Reads the card typed on a payment page, normalized. */
export function readPageCard(parameters: Parameters): CardForm {
  const [month, year] = [text(parameters, 'expMM'), text(parameters, 'expYY')]
  const parts = month !== undefined && year !== undefined ? `${month}/${year}` : undefined
  return createPlainCard({
    card_number: text(parameters, 'card_number') ?? '',
    card_holder: text(parameters, 'card_holder') ?? '',
    card_expiry: text(parameters, 'card_expiry') ?? parts ?? '',
    card_cvv: text(parameters, 'card_cvv') ?? '',
  })
}
