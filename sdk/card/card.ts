import { brandOfNumber, brandOfStart, type CardBrand } from '../../mock-gateway/contract/card-brands.ts'

/** Ordinary digits for full-width ones, and nothing for what cannot be seen: pasted text has zero-width characters. */
const visible = (text: string): string => text.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')

/** The digits of a card number as payers type it: blanks and dashes go, full-width digits become ordinary ones. Other
 * text, such as a stored card's token, stays as it is. */
export function cardDigits(text: string): string {
  const digits = visible(text).replace(/[\s\u2010-\u2015-]/g, '')
  return /^\d+$/.test(digits) ? digits : text
}

/** Expiry as MMYY. Reads `1/27`, `01 / 2027`, `0127`, `012027` and the month input's `2027-01`; other text stays. */
export function expiryDigits(text: string): string {
  const plain = visible(text)
    .replace(/\s/g, '')
    .replace(/^(\d{4})-(\d\d)$/, '$2/$1')
  const [, month, year] = /^(\d\d?(?=[/.-])|\d\d)[/.-]?(?:20)?(\d\d)$/.exec(plain) ?? []
  return month && year ? month.padStart(2, '0') + year : text
}

/** Parameters whose typed form differs from the form the service wants. */
const CLEANERS: Readonly<Record<string, (text: string) => string>> = {
  card_number: cardDigits,
  card_cvv: cardDigits,
  card_expiry: expiryDigits,
}

/** A parameter's value as it is sent. */
export const cleanValue = (name: string, value: string): string => CLEANERS[name]?.(value) ?? value

/** Whether the check digit of a card number is right. */
export function luhn(number: string): boolean {
  const digits = cardDigits(number)
  let sum = 0
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits[digits.length - place])
    sum += place % 2 ? digit : digit * 2 - (digit > 4 ? 9 : 0)
  }
  return digits.length > 1 && sum % 10 === 0
}

/** The brand of a card number or of its first digits, blanks and dashes skipped; undefined when none is certain. */
export function brandOf(number: string): CardBrand | undefined {
  const digits = cardDigits(number)
  return /^\d+$/.test(digits) ? (brandOfNumber(digits) ?? brandOfStart(digits)) : undefined
}

/** Whether a number could be a card's: the check digit, and of a known brand's length; 12 to 19 digits of others. */
export function isCardNumber(number: string): boolean {
  const digits = cardDigits(number)
  return luhn(digits) && (brandOfStart(digits) ? !!brandOfNumber(digits) : /^\d{12,19}$/.test(digits))
}

/** Whether a card with this expiry can still be used: through the last moment of the month, UTC. */
export function isCurrent(month: string, year: string, now: Date = new Date()): boolean {
  const [, mm, yy] = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(`${month}/${year}`) ?? []
  return Boolean(mm) && now.getTime() < Date.UTC(2000 + Number(yy), Number(mm))
}

/** Whether a security code has the right number of digits: four for Amex, three for others, either when unknown. */
export function isCvv(cvv: string, number: string): boolean {
  const brand = brandOf(number)?.name
  return /^\d{3,4}$/.test(cvv) && (!brand || (cvv.length === 4) === (brand === 'amex'))
}

/** The card type to send for a number, upper case; undefined when the service has no word for it. */
export function sendableBrand(number: string): string | undefined {
  const brand = brandOf(number)
  return brand?.isForeign ? undefined : brand?.name.toUpperCase()
}
