import { type CardBrand, findBrandOfNumber, findBrandOfStart } from './card-brands.ts'

/*
 * Input formats of cards, shared by the library, the payment page and the gateway. The page loads
 * this file as a script; it only imports the card brands, and needs no Node API.
 */

/**
 * Removes invisible characters, which pasted text contains: zero-width characters, marks of the
 * writing direction, and variation selectors.
 */
const removeInvisible = (text: string): string => text.replace(/[\p{Cf}\p{VS}]/gu, '')

/**
 * Replaces digits of other scripts, such as Arabic, Persian, Devanagari and full-width ones, and
 * dashes by ordinary ones, and removes invisible characters.
 */
export const normalizeCharacters = (text: string): string =>
  removeInvisible(text.normalize('NFKC'))
    .replace(/\p{Pd}/gu, '-')
    // The zeros of these scripts, U+0660, U+06F0 and U+0966, have the remainder 12.
    .replace(
      /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g,
      (digit) => `${(digit.charCodeAt(0) - 12) % 18}`,
    )

/**
 * Removes blanks and dashes from a card number or security code. Only invisible characters are
 * removed from other text, such as the token of a stored card.
 */
export function normalizeDigits(text: string): string {
  const digits = normalizeCharacters(text).replace(/[\s-]/g, '')
  return /^\d+$/.test(digits) ? digits : removeInvisible(text)
}

/**
 * Converts an expiry to MMYY. Accepts the formats of people and autofill: `1/27`, `01 / 2027`,
 * `0127`, `012027`, `01-27`, and with the year first, such as `2027-01` or `202701`; other text is
 * unchanged.
 */
export function normalizeExpiry(text: string): string {
  const plain = normalizeCharacters(text)
    .replace(/\s/g, '')
    .replace(/[.-]/g, '/')
    .replace(/^(20\d\d)\/?(0[1-9]|1[0-2])$/, '$2/$1')
  const [, month = '', year = ''] = /^(\d\d?(?=\/)|\d\d)\/?(?:20)?(\d\d)$/.exec(plain) || []
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
  return /^\d+$/.test(digits) ? findBrandOfNumber(digits) || findBrandOfStart(digits) : undefined
}

/** Groups of digits of Amex and Diners; others have groups of four. */
const GROUPS_OF_AMEX = /^(\d{4})(\d{1,6})(\d*)$/

/** Groups a card number, `4111 1111 1111 1111`; nothing is cut off, and other text is unchanged. */
export function groupNumber(text: string): string {
  const digits = normalizeDigits(text)
  if (!/^\d+$/.test(digits)) return text
  const isAmex = /^(amex|diners)$/.test(findTypedBrand(digits)?.name || '')
  const groups = (isAmex && GROUPS_OF_AMEX.exec(digits)?.slice(1)) || digits.match(/\d{1,4}/g) || []
  return groups.join(' ').trim()
}

/**
 * Formats an expiry as `MM / YY` or `MM / YYYY`, also while it is typed; other formats of autofill
 * are unchanged.
 */
export function formatExpiry(text: string): string {
  const digits = normalizeCharacters(text)
    .replace(/^\s*([2-9]|\d(?=\s*\/))/, '0$1')
    .replace(/[\s/]/g, '')
  return /^(?:\d{1,4}|\d\d20\d\d)$/.test(digits) ? digits.replace(/^(\d\d)(\d+)$/, '$1 / $2') : text
}

/**
 * Formats a text while it is typed, and finds the caret: after the same digit, or at the end if it
 * was there. If Backspace only deleted a blank, the digit before the blank is deleted too.
 * @param inputType of the browser's input event
 */
export function retype(
  format: (text: string) => string,
  text: string,
  caret: number,
  inputType?: string,
): [formatted: string, caret: number] {
  let start = text.slice(0, caret)
  const end = text.slice(caret)
  const isBlankDeleted = /^\D/.test(format(text).slice(caret)) && /^\d/.test(end)
  if (isBlankDeleted && inputType === 'deleteContentBackward') start = start.replace(/\d\D*$/, '')
  const formatted = format(start + end)
  const digits = start.replace(/\D/g, '').length
  const [before = ''] = (end && RegExp(`^(\\D*\\d){${digits}}`).exec(formatted)) || [formatted]
  return [formatted, before.length]
}
