import { brandOfNumber, brandOfStart, type CardBrand } from './card-brands.ts'

/*
 * Input formats of cards, shared by the library, the payment page and the gateway. The page loads
 * this file as a script; it only imports the card brands, and needs no Node API.
 */

/**
 * Replaces full-width digits by ordinary ones, and removes invisible characters: pasted text
 * contains zero-width ones.
 */
export const normalizeCharacters = (text: string): string =>
  text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')

/** Removes blanks and dashes from a card number or security code; other text is unchanged. */
export function normalizeDigits(text: string): string {
  const digits = normalizeCharacters(text).replace(/[\s\u2010-\u2015-]/g, '')
  return /^\d+$/.test(digits) ? digits : text
}

/**
 * Converts an expiry to MMYY. Accepts the formats of people and autofill: `1/27`, `01 / 2027`,
 * `0127`, `012027`, `01-27` and the month input's `2027-01`; other text is unchanged.
 */
export function normalizeExpiry(text: string): string {
  const plain = normalizeCharacters(text)
    .replace(/\s/g, '')
    .replace(/^(\d{4})-(\d\d)$/, '$2/$1')
  const [, month = '', year = ''] = /^(\d\d?(?=[/.-])|\d\d)[/.-]?(?:20)?(\d\d)$/.exec(plain) || []
  return month && year ? month.padStart(2, '0') + year : text
}

/**
 * Calculates the Luhn sum: every second digit from the right is doubled, and its digits are added.
 * Expects only digits.
 */
const luhnSum = (number: string): number =>
  [...number]
    .reverse()
    .reduce((sum, digit, place) => sum + Number(place % 2 ? '0246813579'[Number(digit)] : digit), 0)

/** Returns the digit that completes `start` to a valid Luhn number. Expects only digits. */
export const luhnDigit = (start: string): string => String((10 - (luhnSum(`${start}0`) % 10)) % 10)

/** Returns true if the last digit is the Luhn check digit. Expects only digits. */
export const luhn = (number: string): boolean => luhnSum(number) % 10 === 0

/**
 * Finds the brand of a card number, complete or while it is typed; undefined while it is uncertain.
 */
export function findTypedBrand(text: string): CardBrand | undefined {
  const digits = normalizeDigits(text)
  return /^\d+$/.test(digits) ? brandOfNumber(digits) || brandOfStart(digits) : undefined
}

/** Groups of digits of these brands; others have groups of four. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  amex: /^(\d{4})(\d{1,6})(\d*)$/,
  diners: /^(\d{4})(\d{1,6})(\d*)$/,
}

/** Groups a card number, `4111 1111 1111 1111`; nothing is cut off, and other text is unchanged. */
export function groupNumber(text: string): string {
  const digits = normalizeDigits(text)
  if (!/^\d+$/.test(digits)) return text
  const groups =
    GROUPS[findTypedBrand(digits)?.name || '']?.exec(digits)?.slice(1) ||
    digits.match(/\d{1,4}/g) ||
    []
  return groups.join(' ').trim()
}

/**
 * Formats an expiry as `MM / YY` or `MM / YYYY`, also while it is typed; other formats of autofill
 * are unchanged.
 */
export function formatExpiry(text: string): string {
  const digits = text
    .normalize('NFKC')
    .replace(/^\s*([2-9]|\d(?=\s*\/))/, '0$1')
    .replace(/[\s/]/g, '')
  return /^(?:\d{1,4}|\d\d20\d\d)$/.test(digits) ? digits.replace(/^(\d\d)(\d+)$/, '$1 / $2') : text
}

/**
 * Returns the caret's position in the grouped text: after the same digit, or at the end if it was
 * there.
 */
export function moveCaret(grouped: string, text: string, caret: number): number {
  if (caret >= text.length) return grouped.length
  const digits = text.slice(0, caret).replace(/\D/g, '').length
  const between = grouped.split(/\d/).slice(0, digits)
  return between.join('').length + digits
}
