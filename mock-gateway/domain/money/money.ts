import { type ErrorName, GatewayError } from '../errors/errors.ts'
import { LANGUAGES, type Language, type Locale } from '../language/languages.ts'
import { type Currency, DECIMALS } from './currencies.ts'

/**
 * An amount as an integer number of hundredths: 1050 is "10.50". Always two decimals, whatever the
 * currency (specification: Transaction, decimals). Only this file creates it.
 */
export type Hundredths = number & { readonly unit: 'hundredths' }

/** Problems of an amount's text. */
type AmountProblem = 'missing' | 'negative' | 'format' | 'range'

/** A parsed amount, or its problem. */
export type ParsedAmount =
  | { readonly ok: true; readonly value: Hundredths }
  | { readonly ok: false; readonly problem: AmountProblem }

const STRICT = /^(0|[1-9][0-9]*)\.([0-9]{2})$/
const NEGATIVE = /^-[0-9]+(\.[0-9]+)?$/
const LOOSE = /^(-?)([0-9]+)(?:\.([0-9]+))?$/
const EXACT = /^(-?[0-9]+)(?:\.([0-9]{1,20})0*)?$/
const AT_MOST_TWO_DECIMALS = /^-?[0-9]+(\.[0-9]{1,2})?$/

/**
 * Brands a whole number of hundredths, such as a sum or a column of a row.
 * @throws RangeError if it is not a safe integer: the caller calculated with unchecked numbers
 */
export function hundredths(value: number): Hundredths {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${value} is not a whole number of hundredths`)
  return value as Hundredths
}

/** The amount zero. */
export const NOTHING = hundredths(0)

/**
 * Reads an amount in the only spelling that can be paid: ASCII digits, a dot, two digits; no sign,
 * blanks or leading zeros, so that every amount has a single text (our decision: a hash covers the
 * text, not the number).
 * @returns hundredths up to Number.MAX_SAFE_INTEGER, never rounded; or the problem
 */
export function parseAmount(text: string | undefined): ParsedAmount {
  if (text === undefined || text === '') return { ok: false, problem: 'missing' }
  const match = STRICT.exec(text)
  if (match === null) return { ok: false, problem: NEGATIVE.test(text) ? 'negative' : 'format' }
  const value = Number(`${match[1]}${match[2]}`)
  return Number.isSafeInteger(value)
    ? { ok: true, value: hundredths(value) }
    : { ok: false, problem: 'range' }
}

/**
 * Reads the amount of a payment, capture or refund that is charged now.
 * @param least in hundredths: 0 if a payment of 0.00 is allowed
 * @returns hundredths, at least `least`; `.00` for currencies without decimals (specification:
 *   amount rules). Or one of the errors errors.amount.missing (missing or negative),
 *   errors.amount.invalid_format (not written as 10.00), errors.amount.invalid (too small, too
 *   large, or with decimals the currency does not have)
 */
export function parsePayableAmount(
  text: string | undefined,
  currency: Currency,
  least: 0 | 1,
):
  | { readonly ok: true; readonly value: Hundredths }
  | { readonly ok: false; readonly refusal: GatewayError } {
  const refuse = (name: ErrorName, explain: string) =>
    ({ ok: false, refusal: new GatewayError(name, { explain }) }) as const
  const amount = parseAmount(text)
  if (!amount.ok) {
    const [name, explain] = REFUSALS[amount.problem]
    return refuse(name, explain)
  }
  if (amount.value < least)
    return refuse(
      'errors.amount.invalid',
      'The amount is zero. Only a card payment with a plan_id may be less than 0.01.',
    )
  return fitsCurrency(amount.value, currency)
    ? amount
    : refuse(
        'errors.amount.invalid',
        `The currency ${currency} has no decimals, so its amounts must end in .00.`,
      )
}

/** Reads an amount like `parsePayableAmount`. @throws its errors */
export function requirePayableAmount(
  text: string | undefined,
  currency: Currency,
  least: 0 | 1 = 1,
): Hundredths {
  const amount = parsePayableAmount(text, currency, least)
  if (amount.ok) return amount.value
  throw amount.refusal
}

/** Returns false for decimals in a currency without them (specification: amount rules). */
export const fitsCurrency = (amount: Hundredths, currency: Currency): boolean =>
  DECIMALS[currency] > 0 || amount % 100 === 0

/** The sentence about an amount that `parseAmount` cannot represent. */
export const AMOUNT_TOO_LARGE =
  'The amount is too large. The highest amount is 90,071,992,547,409.91.'

const REFUSALS = {
  missing: ['errors.amount.missing', 'The amount is missing. Send an amount such as 10.00.'],
  negative: ['errors.amount.missing', 'The amount is negative. Send an amount such as 10.00.'],
  format: [
    'errors.amount.invalid_format',
    'The amount must be digits, a point and two decimals, such as 10.00, without leading zeros. In JSON, send it as a string, because a number loses its decimals.',
  ],
  range: ['errors.amount.invalid', AMOUNT_TOO_LARGE],
} as const satisfies Record<AmountProblem, readonly [ErrorName, explain: string]>

/**
 * Reads a decimal number in any plain spelling: `0`, `12.4`, `-5.00`, `1000`. For vat_amount, which
 * clients write in many ways (observed: 2.3).
 * @returns hundredths, rounded half away from zero; undefined if it is not a decimal number or too
 *   large
 */
export function parseLooseAmount(text: string): Hundredths | undefined {
  const match = LOOSE.exec(text)
  if (match === null) return undefined
  const [, sign, whole, fraction = ''] = match
  const roundUp = fraction.charAt(2) >= '5' ? 1 : 0
  const size = Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`) + roundUp
  if (!Number.isSafeInteger(size)) return undefined
  return hundredths(sign === '-' && size !== 0 ? -size : size)
}

/** Units of `parseExactAmount` in one hundredth. */
export const EXACT_UNITS = 10n ** 18n

/**
 * Reads a decimal number without rounding: for the amounts of items, which are added up.
 * @returns units of 10^-20, which represent every decimal of a float exactly; undefined if it is
 *   not a number or too large for `parseLooseAmount`
 */
export function parseExactAmount(text: string): bigint | undefined {
  const match = EXACT.exec(text)
  if (match === null || parseLooseAmount(text) === undefined) return undefined
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(20, '0')}`)
}

/** Formats a result of `parseExactAmount` with at least two decimals, and more if needed. */
export function formatExact(exact: bigint): string {
  const digits = String(exact < 0n ? -exact : exact).padStart(21, '0')
  const further = digits.slice(-18).replace(/(?<!0)0+$/, '')
  return `${exact < 0n ? '-' : ''}${digits.slice(0, -20)}.${digits.slice(-20, -18)}${further}`
}

/**
 * Reads an amount in a filter: `100`, `100.5` or `100.50`, possibly negative.
 * @returns hundredths; undefined otherwise, including more than two decimals
 */
export function readAmountFilter(text: string): Hundredths | undefined {
  return AT_MOST_TWO_DECIMALS.test(text) ? parseLooseAmount(text) : undefined
}

/**
 * Formats an amount with two decimals, the sign first: "10.50", "-0.05" (specification:
 * Transaction, decimals).
 */
export function formatAmount(amount: Hundredths): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Converts an amount to whole units, for the few fields that are JSON numbers, such as
 * org_auth_amount.
 */
export function convertToNumber(amount: Hundredths): number {
  return amount / 100
}

/**
 * Formats an amount for people: `250,00 kr`, `€12.50`, `250.00 SEK`. Decimals are those of the currency, two at
 * most (specification: Limits), and any additional ones of the order.
 */
export function formatMoney(amount: Hundredths, currency: Currency, locale: Locale): string {
  const { symbolFirst, symbols }: Language['money'] = LANGUAGES[locale].money
  const figure = formatFigure(amount, currency, locale)
  const symbol = symbols[currency]
  return symbolFirst && symbol
    ? figure.replace(/\d/, (digit) => symbol + digit)
    : `${figure}\u00a0${symbol ?? currency.toUpperCase()}`
}

/** Formats an amount without its currency: `1,246.50`. */
export function formatFigure(amount: Hundredths, currency: Currency, locale: Locale): string {
  const { thousands, decimals, minus }: Language['money'] = LANGUAGES[locale].money
  const [whole = '', fraction] = formatAmount(amount).replace('-', '').split('.')
  const hasDecimals = DECIMALS[currency] > 0 || !fitsCurrency(amount, currency)
  const number = splitIntoGroups(whole).join(thousands) + (hasDecimals ? decimals + fraction : '')
  return (amount < 0 ? minus : '') + number
}

/** Returns the groups of three digits of a whole number. */
function splitIntoGroups(digits: string): string[] {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3)
    groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups
}
