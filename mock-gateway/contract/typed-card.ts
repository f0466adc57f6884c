import { brandOfNumber, brandOfStart } from './card-brands.ts'

/*
 * How a card is typed. The payment page has this file as a script; it imports nothing but the card brands, and needs
 * nothing but JavaScript.
 */

/** Ordinary digits for full-width ones, and nothing for what cannot be seen: pasted text has zero-width characters. */
const visible = (text: string): string => text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')

/** A card number or security code without blanks and dashes; other text stays as it is. */
export function plainDigits(text: string): string {
  const digits = visible(text).replace(/[\s\u2010-\u2015-]/g, '')
  return /^\d+$/.test(digits) ? digits : text
}

/**
 * An expiry as MMYY. Reads what people and autofill write: `1/27`, `01 / 2027`, `0127`, `012027`, `01-27` and the month
 * input's `2027-01`; other text stays as it is.
 */
export function plainExpiry(text: string): string {
  const plain = visible(text)
    .replace(/\s/g, '')
    .replace(/^(\d{4})-(\d\d)$/, '$2/$1')
  const [, month = '', year = ''] = /^(\d\d?(?=[/.-])|\d\d)[/.-]?(?:20)?(\d\d)$/.exec(plain) ?? []
  return month && year ? month.padStart(2, '0') + year : text
}

/** The digit that makes a card number pass the Luhn check when appended to `start`. Expects digits only. */
export function luhnDigit(start: string): string {
  let sum = 0
  for (let place = 1; place <= start.length; place += 1) {
    const weighted = Number(start[start.length - place]) * (place % 2 === 1 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return String((10 - (sum % 10)) % 10)
}

/** True when the last digit is the Luhn check digit of the others. Expects digits only. */
export const luhn = (number: string): boolean => luhnDigit(number.slice(0, -1)) === number.slice(-1)

/** The brand of a card number, or of its first digits while it is typed; undefined while none is certain. */
export function brandTyped(text: string): string | undefined {
  const digits = plainDigits(text)
  return /^\d+$/.test(digits) ? (brandOfNumber(digits) ?? brandOfStart(digits))?.name : undefined
}
