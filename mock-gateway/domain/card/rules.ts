import { luhn, plainDigits, plainExpiry } from '../../contract/typed-card.ts'

/*
 * What is right and wrong about a card that somebody types. The payment page has this file as a
 * script, and the gateway judges by it once more: it imports nothing but how a card is typed, and
 * needs nothing but JavaScript.
 */

/** What the payer types, by the name of the input. */
export type CardField = 'card_number' | 'card_holder' | 'card_expiry' | 'card_cvv'

/** In the order of the form. */
export const CARD_INPUTS: readonly CardField[] = [
  'card_number',
  'card_holder',
  'card_expiry',
  'card_cvv',
]

/** A card as typed; what was left out is empty. */
export type CardForm = Readonly<Record<CardField, string>>

/** The card as the gateway wants it. */
export const plainCard = ({
  card_number,
  card_holder,
  card_expiry,
  card_cvv,
}: CardForm): CardForm => ({
  card_number: plainDigits(card_number),
  card_holder: card_holder.trim(),
  card_expiry: plainExpiry(card_expiry),
  card_cvv: plainDigits(card_cvv),
})

/**
 * Twelve digits in a row, signs but no letters between them: a card number typed in the wrong box.
 */
const CARD_NUMBER_INSIDE = /[0-9](?:[^0-9\p{L}]{0,3}[0-9]){11}/u

/** Digits may be wide ones, as some keyboards write them. */
export const holdsCardNumber = (text: string): boolean =>
  CARD_NUMBER_INSIDE.test(text.normalize('NFKC'))

/** A problem of one field, by the name of its error. */
export interface CardProblem {
  readonly field: CardField
  readonly error: `errors.${CardField}.${'missing' | 'invalid'}` | 'errors.card.expired'
}

/**
 * Everything that is wrong with a card, in the order of the form.
 * @param card as `plainCard` gives it
 * @param thisMonth the month that the gateway has, as `2026-11`; a card is good through its own
 *   month
 */
export function cardProblems(card: CardForm, thisMonth: string): CardProblem[] {
  return CARD_INPUTS.flatMap((field) => {
    const error = errorOf(field, card[field], thisMonth)
    return error ? [{ field, error }] : []
  })
}

function errorOf(
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
  // A number in the wrong box: the card's, or the security code.
  card_holder: (name) => name.length <= 100 && !holdsCardNumber(name) && !/^[0-9]{3,4}$/.test(name),
  card_expiry: (expiry) => /^(0[1-9]|1[0-2])[0-9]{2}$/.test(expiry),
  card_cvv: (cvv) => /^[0-9]{3,4}$/.test(cvv),
}

const isOver = (expiry: string, thisMonth: string): boolean =>
  `20${expiry.slice(2)}-${expiry.slice(0, 2)}` < thisMonth
