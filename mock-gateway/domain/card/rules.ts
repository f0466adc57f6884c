import {
  luhn,
  normalizeCharacters,
  normalizeDigits,
  normalizeExpiry,
} from '../../../sdk/shared/typed-card.ts'

/*
 * Validation rules for a typed card. The payment page loads this file as a script and the gateway
 * applies the rules again, so it imports only `typed-card` and needs no Node API.
 */

/** Names of the inputs of the card form. */
export type CardField = 'card_number' | 'card_holder' | 'card_expiry' | 'card_cvv'

/** In the order of the form. */
export const CARD_INPUTS: readonly CardField[] = [
  'card_number',
  'card_expiry',
  'card_cvv',
  'card_holder',
]

/** A card as typed; fields that were left out are empty. */
export type CardForm = Readonly<Record<CardField, string>>

/** Normalizes a typed card. */
export const createPlainCard = ({
  card_number,
  card_holder,
  card_expiry,
  card_cvv,
}: CardForm): CardForm => ({
  card_number: normalizeDigits(card_number),
  card_holder: card_holder.trim(),
  card_expiry: normalizeExpiry(card_expiry),
  card_cvv: normalizeDigits(card_cvv),
})

/** Twelve digits with separators but no letters between them: a card number in the wrong field. */
const CARD_NUMBER_INSIDE = /[0-9](?:[^0-9\p{L}]{0,3}[0-9]){11}/u

/** Matches digits of other scripts too, which some keyboards type. */
export const hasCardNumber = (text: string): boolean =>
  CARD_NUMBER_INSIDE.test(normalizeCharacters(text))

/** A problem with one field, with its error name. */
export interface CardProblem {
  readonly field: CardField
  readonly error: `errors.${CardField}.${'missing' | 'invalid'}` | 'errors.card.expired'
}

/**
 * Lists every problem of a card, in the order of the form.
 * @param card as returned by `createPlainCard`
 * @param thisMonth the gateway's month, such as `2026-11`; a card is valid through its own month
 */
export function findCardProblems(card: CardForm, thisMonth: string): CardProblem[] {
  return CARD_INPUTS.flatMap((field) => {
    const error = checkCardField(field, card[field], thisMonth)
    return error ? [{ field, error }] : []
  })
}

function checkCardField(
  field: CardField,
  typed: string,
  thisMonth: string,
): CardProblem['error'] | undefined {
  if (typed === '') return `errors.${field}.missing`
  if (!RULES[field](typed)) return `errors.${field}.invalid`
  return field === 'card_expiry' && isOver(typed, thisMonth) ? 'errors.card.expired' : undefined
}

const RULES: Readonly<Record<CardField, (text: string) => boolean>> = {
  card_number: (number) => /^[0-9]{12,19}$/.test(number) && luhn(number),
  // Rejects a card number or a security code in the name field.
  card_holder: (name) => name.length <= 100 && !hasCardNumber(name) && !/^[0-9]{3,4}$/.test(name),
  card_expiry: (expiry) => /^(0[1-9]|1[0-2])[0-9]{2}$/.test(expiry),
  card_cvv: (cvv) => /^[0-9]{3,4}$/.test(cvv),
}

const isOver = (expiry: string, thisMonth: string): boolean =>
  `20${expiry.slice(2)}-${expiry.slice(0, 2)}` < thisMonth
