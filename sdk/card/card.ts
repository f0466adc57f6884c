import { brandOfNumber, brandOfStart } from '../../mock-gateway/contract/card-brands.ts'
import {
  findTypedBrand,
  luhn as isChecked,
  normalizeCharacters,
  normalizeDigits,
  normalizeExpiry,
} from '../../mock-gateway/contract/typed-card.ts'

/** Parameters whose typed form differs from the form the service wants. */
const CLEANERS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['card_number', normalizeDigits],
  ['card_cvv', normalizeDigits],
  ['card_expiry', normalizeExpiry],
])

/** A parameter's value as it is sent. */
export const cleanValue = (name: string, value: string): string =>
  CLEANERS.get(name)?.(value) || value

/** Whether the check digit of a card number is right. */
export function luhn(number: string): boolean {
  const digits = normalizeDigits(number)
  return /^\d\d+$/.test(digits) && isChecked(digits)
}

/**
 * Whether a number could be a card's: the check digit, and of a known brand's length; 12 to 19
 * digits of others.
 */
export function isCardNumber(number: string): boolean {
  const digits = normalizeDigits(number)
  return (
    luhn(digits) && (brandOfStart(digits) ? !!brandOfNumber(digits) : /^\d{12,19}$/.test(digits))
  )
}

/** Most digits of a card number. */
const LONGEST = 19

/**
 * Whether a card number stands somewhere in a text: 14 to 19 digits of a brand with the right check
 * digit, in groups or not, that no letters or other digits touch. Shorter numbers are phone numbers
 * and bar codes more often than cards, as the gateway has it.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = normalizeCharacters(text).match(/[^\W_]+(?:[\s.\u2010-\u2015-]+[^\W_]+)*/g) || []
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
    return /^\d{14,19}$/.test(digits) && !!brandOfNumber(digits) && isChecked(digits)
  })
}

/** Whether a card with this expiry can still be used: through the last moment of the month, UTC. */
export function isCurrent(expiry: string, now: Date = new Date()): boolean {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(normalizeExpiry(expiry)) || []
  // Of what is no expiry the time is NaN.
  return now.getTime() < Date.UTC(2000 + Number(year), Number(month))
}

/**
 * Whether a security code has the right number of digits: four for Amex, three for others, either
 * when unknown.
 */
export function isCvv(cvv: string, number: string): boolean {
  const brand = findTypedBrand(number)?.name
  return /^\d{3,4}$/.test(cvv) && (!brand || (cvv.length === 4) === (brand === 'amex'))
}

/**
 * The card type to send for a number, upper case; undefined when the service has no word for it.
 */
export function sendableBrand(number: string): string | undefined {
  const brand = findTypedBrand(number)
  return brand?.isForeign ? undefined : brand?.name.toUpperCase()
}
