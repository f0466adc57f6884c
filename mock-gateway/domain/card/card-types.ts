import { findBrandOfNumber, findBrandOfStart } from '../../../sdk/shared/card-brands.ts'
import { luhn, normalizeCharacters } from '../../../sdk/shared/typed-card.ts'
import { hasControlCharacters, isLongerThan } from '../characters.ts'
import { GatewayError } from '../errors/errors.ts'
import { hasCardNumber } from './rules.ts'

/** The card types of the service, as stored (specification: Card types). */
export const CARD_TYPES = [
  'visa',
  'mastercard',
  'maestro',
  'electron',
  'debit_mastercard',
  'visa_debit',
  'laser',
  'solo',
  'amex',
  'diners',
  'uk_maestro',
  'jcb',
  'ukash_neo',
  'discover',
  'stored_card',
] as const

/** A stored card type; `formatCardType` returns the name used in responses. */
export type CardType = (typeof CARD_TYPES)[number]

/** Other spellings that clients send (observed: 2.3, 12.4); blanks are already replaced by `_`. */
const ALIASES: Readonly<Record<string, CardType>> = {
  master: 'mastercard',
  mc: 'mastercard',
  visa_electron: 'electron',
  american_express: 'amex',
  diners_club: 'diners',
}

const isCardType = (word: string): word is CardType =>
  (CARD_TYPES as readonly string[]).includes(word)

/**
 * Reads the name of a card type in any case, with `_`, `-` or a blank between words.
 * @throws errors.card_type.unsupported
 */
export function readCardType(text: string): CardType {
  const word = text.toLowerCase().replace(/[ -]/g, '_')
  if (isCardType(word)) return word
  const alias = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined
  if (alias !== undefined) return alias
  const explain = `The card type is not one of ${CARD_TYPES.map(formatCardType).join(', ')}.`
  throw new GatewayError('errors.card_type.unsupported', { explain })
}

/** Brands with a logo, in the order of display; other card types use the logo of their brand. */
export const BRANDS: Readonly<
  Record<string, { readonly name: string; readonly types: readonly CardType[] }>
> = {
  visa: { name: 'Visa', types: ['visa', 'visa_debit', 'electron'] },
  mastercard: { name: 'Mastercard', types: ['mastercard', 'debit_mastercard'] },
  maestro: { name: 'Maestro', types: ['maestro', 'uk_maestro'] },
  amex: { name: 'American Express', types: ['amex'] },
  diners: { name: 'Diners Club', types: ['diners'] },
  discover: { name: 'Discover', types: ['discover'] },
  jcb: { name: 'JCB', types: ['jcb'] },
}

/** Returns the brand of a card type with its name for people: `American Express`. */
export function findBrandByType(type: CardType): {
  /** Null if the brand has no logo. */
  readonly brand: string | null
  readonly name: string
} {
  const [brand, known] = Object.entries(BRANDS).find(([, { types }]) => types.includes(type)) ?? []
  const name = known?.name ?? (type[0] ?? '').toUpperCase() + type.slice(1).replaceAll('_', ' ')
  return { brand: brand ?? null, name }
}

/**
 * Returns the name of a type in answers of the API, such as VISA or STORED_CARD (observed: 7.1).
 */
export const formatCardType = (type: CardType): string => type.toUpperCase()

/**
 * Returns the card type of a card number by its first digits and length; undefined if no type
 * matches.
 */
export const detectBrand = (number: string): CardType | undefined =>
  findType(findBrandOfNumber(number)?.name)

/**
 * Returns the brand like `brandOf`, but from the first digits only, which a masked number still
 * has.
 */
export const detectMaskedBrand = (masked: string): CardType | undefined =>
  findType(findBrandOfStart(masked.slice(0, 6))?.name)

const findType = (name: string | undefined) =>
  name !== undefined && isCardType(name) ? name : undefined

const removeGaps = (text: string): string => text.replace(/[\s-]/g, '')

/**
 * Returns true for 12 to 19 digits that pass the Luhn check; blanks and dashes may separate them.
 */
export const isCardNumber = (text: string): boolean => {
  const number = removeGaps(text)
  return /^[0-9]{12,19}$/.test(number) && luhn(number)
}

/**
 * Reads a card number as typed, in any script: blanks and dashes between the digits are dropped.
 * @returns 12 to 19 digits that pass the Luhn check
 * @throws errors.card_number.missing, errors.card_number.invalid
 */
export function readCardNumber(text: string | undefined): string {
  const number = removeGaps(normalizeCharacters(text ?? ''))
  if (number === '')
    throw new GatewayError('errors.card_number.missing', {
      explain: 'The card number is missing. Send it as card_number.',
    })
  if (!/^[0-9]{12,19}$/.test(number)) {
    const explain = 'A card number has 12 to 19 digits. Spaces and dashes between them are allowed.'
    throw new GatewayError('errors.card_number.invalid', { explain })
  }
  if (!luhn(number)) {
    const explain =
      'The check digit of the card number is wrong. A digit is mistyped, or two digits are swapped.'
    throw new GatewayError('errors.card_number.invalid', { explain })
  }
  return number
}

/**
 * Masks a card number for display and storage: first six digits, stars, last four, always 16
 * characters (observed: 7.1).
 */
export const maskNumber = (first6: string, last4: string): string => `${first6}******${last4}`

/**
 * Reads the three or four digits on the back of a card. Never store or log them.
 * @throws errors.card_cvv.missing, errors.card_cvv.invalid (not three or four digits)
 */
export function readCvv(text: string | undefined): string {
  const cvv = normalizeCharacters(text ?? '').trim()
  if (cvv === '')
    throw new GatewayError('errors.card_cvv.missing', {
      explain: 'The CVV of the card is missing. Send it as card_cvv.',
    })
  if (!/^[0-9]{3,4}$/.test(cvv)) {
    throw new GatewayError('errors.card_cvv.invalid', {
      explain: 'A CVV has three or four digits.',
    })
  }
  return cvv
}

/** Maximum length of a card holder's name, in characters (our decision). */
const HOLDER_LENGTH = 100

/**
 * Reads the name on the card.
 * @throws errors.card_holder.missing, errors.card_holder.invalid (control characters, over 100
 *   characters, or a text that looks like a card number, which must not be stored: our decision)
 */
export function readCardHolder(text: string | undefined): string {
  const holder = text?.trim() ?? ''
  if (holder === '') {
    throw new GatewayError('errors.card_holder.missing', {
      explain: 'The name of the cardholder is missing. Send it as card_holder.',
    })
  }
  if (
    isLongerThan(holder, HOLDER_LENGTH) ||
    hasControlCharacters(holder) ||
    hasCardNumber(holder)
  ) {
    const explain = `The cardholder must be a name of at most ${HOLDER_LENGTH} characters, without control characters or a card number.`
    throw new GatewayError('errors.card_holder.invalid', { explain })
  }
  return holder
}
