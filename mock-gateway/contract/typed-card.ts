import { brandOfNumber, brandOfStart, type CardBrand } from './card-brands.ts'

/*
 * How a card is typed, and how it is shown meanwhile: the same for the library, the payment page
 * and the gateway. The page has this file as a script; it imports nothing but the card brands, and
 * needs nothing but JavaScript.
 */

/**
 * Ordinary digits for full-width ones, and nothing for what cannot be seen: pasted text has
 * zero-width characters.
 */
export const normalizeCharacters = (text: string): string =>
  text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')

/** A card number or security code without blanks and dashes; other text stays as it is. */
export function normalizeDigits(text: string): string {
  const digits = normalizeCharacters(text).replace(/[\s\u2010-\u2015-]/g, '')
  return /^\d+$/.test(digits) ? digits : text
}

/**
 * An expiry as MMYY. Reads what people and autofill write: `1/27`, `01 / 2027`, `0127`, `012027`,
 * `01-27` and the month input's `2027-01`; other text stays as it is.
 */
export function normalizeExpiry(text: string): string {
  const plain = normalizeCharacters(text)
    .replace(/\s/g, '')
    .replace(/^(\d{4})-(\d\d)$/, '$2/$1')
  const [, month = '', year = ''] = /^(\d\d?(?=[/.-])|\d\d)[/.-]?(?:20)?(\d\d)$/.exec(plain) || []
  return month && year ? month.padStart(2, '0') + year : text
}

/**
 * Sum of the digits, every second one from the right doubled and its own digits added. Expects
 * digits only.
 */
const luhnSum = (number: string): number =>
  [...number]
    .reverse()
    .reduce((sum, digit, place) => sum + Number(place % 2 ? '0246813579'[Number(digit)] : digit), 0)

/**
 * The digit that makes a card number pass the Luhn check when appended to `start`. Expects digits
 * only.
 */
export const luhnDigit = (start: string): string => String((10 - (luhnSum(`${start}0`) % 10)) % 10)

/** True when the last digit is the Luhn check digit of the others. Expects digits only. */
export const luhn = (number: string): boolean => luhnSum(number) % 10 === 0

/**
 * The brand of a card number, or of its first digits while it is typed; undefined while none is
 * certain.
 */
export function findTypedBrand(text: string): CardBrand | undefined {
  const digits = normalizeDigits(text)
  return /^\d+$/.test(digits) ? brandOfNumber(digits) || brandOfStart(digits) : undefined
}

/** How digits of these brands are grouped; others are in groups of four. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  amex: /^(\d{4})(\d{1,6})(\d*)$/,
  diners: /^(\d{4})(\d{1,6})(\d*)$/,
}

/**
 * A card number in groups, `4111 1111 1111 1111`; nothing is cut off, other text than a number
 * stays.
 */
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
 * An expiry as `MM / YY` or `MM / YYYY`, also while it is typed; what autofill writes otherwise
 * stays as it is.
 */
export function formatExpiry(text: string): string {
  const digits = text
    .normalize('NFKC')
    .replace(/^\s*([2-9]|\d(?=\s*\/))/, '0$1')
    .replace(/[\s/]/g, '')
  return /^(?:\d{1,4}|\d\d20\d\d)$/.test(digits) ? digits.replace(/^(\d\d)(\d+)$/, '$1 / $2') : text
}

/**
 * Where the caret stands when a text has been grouped: behind the same digit; at the end when it
 * was there.
 */
export function moveCaret(grouped: string, text: string, caret: number): number {
  if (caret >= text.length) return grouped.length
  const digits = text.slice(0, caret).replace(/\D/g, '').length
  const between = grouped.split(/\d/).slice(0, digits)
  return between.join('').length + digits
}
