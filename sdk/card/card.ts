import { findBrandOfNumber, findBrandOfStart } from '../shared/card-brands.ts'
import {
  findTypedBrand,
  luhn as isChecked,
  normalizeCharacters,
  normalizeDigits,
  normalizeExpiry,
} from '../shared/typed-card.ts'

/** Parameters that consist of digits. */
export const DIGITS_ONLY = /^card_(number|cvv)$/

/** Converts a parameter's typed value to the sent format. */
export function cleanValue(name: string, value: string): string {
  if (name === 'card_expiry') return normalizeExpiry(value)
  return DIGITS_ONLY.test(name) ? normalizeDigits(value) : value
}

/** Returns true if the check digit of a card number is correct. */
export function luhn(number: string): boolean {
  const digits = normalizeDigits(number)
  return /^\d\d+$/.test(digits) && isChecked(digits)
}

/** Checks the check digit, and the length: the brand's, or 12 to 19 digits. */
export function isCardNumber(number: string): boolean {
  const digits = normalizeDigits(number)
  return (
    luhn(digits) &&
    (findBrandOfStart(digits) ? !!findBrandOfNumber(digits) : /^\d{12,19}$/.test(digits))
  )
}

/** Maximum digits of a card number. */
const LONGEST = 19

/**
 * Returns true if a text contains a card number: 14 to 19 digits of a brand with the correct check
 * digit, possibly in groups, not next to letters or other digits. Shorter numbers are phone numbers
 * and bar codes more often than cards; the gateway has the same rule.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = normalizeCharacters(text).match(/[^\W_]+(?:[\s.-]+[^\W_]+)*/g) || []
  return runs.some((run) => {
    const groups = run.split(/\W+/)
    return groups.some((_group, start) =>
      beginsWithCardNumber(groups.slice(start, start + LONGEST)),
    )
  })
}

function beginsWithCardNumber(groups: readonly string[]): boolean {
  let digits = ''
  return groups.some((group) => {
    digits += group
    return /^\d{14,19}$/.test(digits) && !!findBrandOfNumber(digits) && isChecked(digits)
  })
}

/** Returns true if a card with this expiry is valid: through the last moment of the month, UTC. */
export function isCurrent(expiry: string, now: Date = new Date()): boolean {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(normalizeExpiry(expiry)) || []
  // An invalid expiry gives NaN.
  return now.getTime() < Date.UTC(2000 + Number(year), Number(month))
}

/** Checks the length: four digits for Amex, three for others, either if unknown. */
export function isCvv(cvv: string, number: string): boolean {
  const brand = findTypedBrand(number)?.name
  return /^\d{3,4}$/.test(cvv) && (!brand || (cvv.length === 4) === (brand === 'amex'))
}

/** Returns the card type to send, upper case; undefined if the service rejects the brand. */
export function sendableBrand(number: string): string | undefined {
  const brand = findTypedBrand(number)
  return brand?.isUnsupported ? undefined : brand?.name.toUpperCase()
}
