import { luhn } from '../../../sdk/shared/typed-card.ts'

/**
 * Reads a number as typed and returns its normal form; undefined if digits, date or check digits
 * are wrong.
 */
type ReadNumber = (typed: string) => string | undefined

/** Removes blanks and dashes, with which people group digits. */
const extractDigits = (typed: string): string => typed.replace(/[\s-]/g, '')

/** Days of each month; without a century it is unknown whether February has 29. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const isDay = (month: number, day: number): boolean => day >= 1 && day <= (DAYS[month - 1] ?? 0)

function isDate(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isDay(month, day) && (leap || month !== 2 || day <= 28)
}

/** Calculates the weighted sum of digits, on which check digits are based. */
const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

/** YYMMDDNNNC; coordination numbers have 60 added to the day. */
function isShortSwedish(digits: string): boolean {
  const [, month, day] = /^\d\d(\d\d)(\d\d)\d{4}$/.exec(digits) ?? []
  return month !== undefined && isDay(Number(month), Number(day) % 60) && luhn(digits)
}

const swedish: ReadNumber = (typed) => {
  const digits = extractDigits(typed)
  const [, year, month, day] = /^((?:18|19|20)\d\d)(\d\d)(\d\d)\d{4}$/.exec(digits) ?? []
  if (year === undefined || !isShortSwedish(digits.slice(2))) return undefined
  return isDate(Number(year), Number(month), Number(day) % 60) ? digits : undefined
}

const FIRST_NORWEGIAN = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]
const SECOND_NORWEGIAN = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]

/**
 * DDMMYYNNNCC; 40 added to the day or month marks other kinds of numbers, 80 added to the month a
 * synthetic person.
 */
const norwegian: ReadNumber = (typed) => {
  const digits = extractDigits(typed)
  const [, day, month] = /^(\d\d)(\d\d)\d{7}$/.exec(digits) ?? []
  if (day === undefined || !isDay(Number(month) % 40, Number(day) % 40)) return undefined
  const right =
    weighted(digits, FIRST_NORWEGIAN) % 11 === 0 && weighted(digits, SECOND_NORWEGIAN) % 11 === 0
  return right ? digits : undefined
}

const FINNISH_CHECK = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/** DDMMYY, a character for the century, NNN from 002, and a check character. */
const finnish: ReadNumber = (typed) => {
  const number = typed.replace(/\s/g, '').toUpperCase()
  const [, date = '', sign, serial, check] =
    /^(\d{6})([-+A-FU-Y])(\d{3})([0-9A-Y])$/.exec(number) ?? []
  if (sign === undefined || Number(serial) < 2) return undefined
  const century = sign === '+' ? 1800 : /[A-F]/.test(sign) ? 2000 : 1900
  const [day, month, year] = [date.slice(0, 2), date.slice(2, 4), date.slice(4)].map(Number)
  if (!isDate(century + Number(year), Number(month), Number(day))) return undefined
  return FINNISH_CHECK[Number(`${date}${serial}`) % 31] === check ? number : undefined
}

const PERSONAL: Readonly<Record<InvoiceCountry, ReadNumber>> = {
  SWE: swedish,
  NOR: norwegian,
  FIN: finnish,
}

const ORGANISATION: Readonly<Record<InvoiceCountry, ReadNumber>> = {
  SWE: (typed) => {
    const digits = extractDigits(typed)
    return /^\d\d[2-9]\d{7}$/.test(digits) && luhn(digits) ? digits : undefined
  },
  NOR: (typed) => {
    const digits = extractDigits(typed)
    return /^\d{9}$/.test(digits) && weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
      ? digits
      : undefined
  },
  FIN: (typed) => {
    const digits = extractDigits(typed)
    return /^\d{8}$/.test(digits) && weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0
      ? digits
      : undefined
  },
}

/**
 * Reads a personal identity number by the public rules of its country: date, length and check
 * digits.
 * @returns the normal form: 12 digits for Sweden, 11 for Norway, `010190-900P` for Finland;
 *   undefined if it is invalid
 */
export const parsePersonalNumber = (country: InvoiceCountry, typed: string): string | undefined =>
  PERSONAL[country](typed)

/**
 * Reads the number of a company like `parsePersonalNumber`: 10 digits for Sweden, 9 for Norway, 8 for
 * Finland.
 */
export const parseOrganisationNumber = (
  country: InvoiceCountry,
  typed: string,
): string | undefined => ORGANISATION[country](typed)

/**
 * Reads a Swedish number without its century, as pages send it (observed: 11.7): its 10 digits, or
 * undefined.
 */
export function shortenSwedishNumber(typed: string): string | undefined {
  const digits = extractDigits(typed)
  return isShortSwedish(digits) ? digits : undefined
}

/**
 * Countries whose payers can buy on invoice (specification: Test-mode behavior), in ISO 3166
 * alpha-3.
 */
export type InvoiceCountry = (typeof INVOICE_COUNTRIES)[number]

export const INVOICE_COUNTRIES = ['SWE', 'NOR', 'FIN'] as const

/**
 * Alpha-2 and alpha-3 codes: clients send alpha-3 (observed: 2.3), a checkout may only know alpha-2
 * (our decision).
 */
const COUNTRIES: ReadonlyMap<string, InvoiceCountry> = new Map([
  ['SWE', 'SWE'],
  ['NOR', 'NOR'],
  ['FIN', 'FIN'],
  ['SE', 'SWE'],
  ['NO', 'NOR'],
  ['FI', 'FIN'],
])

/** Returns the country of a code in any case; undefined if invoices are not offered there. */
export const findInvoiceCountry = (code: string): InvoiceCountry | undefined =>
  COUNTRIES.get(code.toUpperCase())

/** Returns true for two or three letters, which may be a country code. */
export const looksLikeCountry = (code: string): boolean => /^[a-z]{2,3}$/i.test(code)
