import { z } from 'zod'
import type { CurrencyConverter } from '../../contract/wire.ts'
import { isObject, type JsonObject } from '../json.ts'
import { type Currency, DECIMALS } from './currencies.ts'
import { formatAmount, type Hundredths, hundredths } from './money.ts'

const RATE = /^(?=.*[1-9])(?:0|[1-9]\d{0,5})(?:\.\d{1,8})?$/

const currency = z.enum(Object.keys(DECIMALS) as [Currency, ...Currency[]])

const currencyConversion = z.strictObject({
  currency,
  rate: z.string().regex(RATE),
  chosen_currency: currency.optional(),
})

/**
 * A conversion that a test asks for: the payer was offered to pay in the card's currency (decision
 * 102). `rate`: how much of `currency` one unit of the order's currency buys, as decimal text such
 * as "0.0880". `chosen_currency`: `currency`, or the order's currency for a payer who turned the
 * offer down. Default: `currency`.
 */
export type CurrencyConversion = z.output<typeof currencyConversion>

/** Reads a conversion; undefined for anything else. */
export const readConversion = (value: unknown): CurrencyConversion | undefined =>
  currencyConversion.safeParse(value).data

/**
 * Reads the conversion that the metadata of a test payment asks for: `service_instructions: {
 * currency_converter: { currency: "eur", rate: "0.0880" } }`. Anything else counts as not given.
 */
export function conversionInstruction(metadata: JsonObject | null): CurrencyConversion | undefined {
  const instructions = metadata?.service_instructions
  return isObject(instructions) ? readConversion(instructions.currency_converter) : undefined
}

const RATE_UNITS = 8

/**
 * Converts an order's amount.
 * @returns null for the same currency, for a choice of a third currency, and for a converted amount
 *   that is 0 or too high
 */
export function convertAmount(
  { currency: to, rate, chosen_currency: chosen = to }: CurrencyConversion,
  amount: Hundredths,
  from: Currency,
): CurrencyConverter | null {
  if (to === from || (chosen !== to && chosen !== from)) return null
  const converted = multiply(amount, rate, DECIMALS[to])
  if (converted <= 0 || !Number.isSafeInteger(converted)) return null
  return {
    amount: formatAmount(hundredths(converted)),
    currency: to,
    rate,
    chosen_currency: chosen,
  }
}

/** Rounds half up to the currency's smallest unit; the result is in hundredths. */
function multiply(amount: Hundredths, rate: string, decimals: number): number {
  const [whole = '', fraction = ''] = rate.split('.')
  const exact = BigInt(amount) * BigInt(whole + fraction.padEnd(RATE_UNITS, '0'))
  const unit = 10n ** BigInt(RATE_UNITS) * (decimals > 0 ? 1n : 100n)
  return Number((exact + unit / 2n) / unit) * (decimals > 0 ? 1 : 100)
}
