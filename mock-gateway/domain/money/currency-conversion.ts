import type { CurrencyConverter } from '../../contract/wire.ts'
import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { getServiceInstructions } from '../order/metadata.ts'
import { type Currency, DECIMALS, isCurrency } from './currencies.ts'
import { formatAmount, type Hundredths, hundredths } from './money.ts'

const RATE = /^(?=.*[1-9])(?:0|[1-9]\d{0,5})(?:\.\d{1,8})?$/

/**
 * A conversion requested by a test: the payer was offered the card's currency (decision 102).
 * `rate`: units of `currency` for one unit of the order's currency, as decimal text such as
 * "0.0880". `chosen_currency`: `currency`, or the order's currency if the payer rejected the offer.
 * Default: `currency`.
 */
export interface CurrencyConversion {
  readonly currency: Currency
  readonly rate: string
  readonly chosen_currency?: Currency | undefined
}

const MEMBERS = ['currency', 'rate', 'chosen_currency']

/** Reads a conversion; otherwise undefined. */
export function readConversion(value: JsonValue | undefined): CurrencyConversion | undefined {
  if (!isObject(value) || Object.keys(value).some((name) => !MEMBERS.includes(name))) return
  const { currency, rate, chosen_currency } = value
  if (!isCurrency(currency) || typeof rate !== 'string' || !RATE.test(rate)) return
  if (chosen_currency === undefined) return { currency, rate }
  return isCurrency(chosen_currency) ? { currency, rate, chosen_currency } : undefined
}

/**
 * Reads the conversion requested in the metadata of a test payment: `service_instructions: {
 * currency_converter: { currency: "eur", rate: "0.0880" } }`. Invalid values are ignored.
 */
export function readConversionInstruction(
  metadata: JsonObject | null,
): CurrencyConversion | undefined {
  return readConversion(getServiceInstructions(metadata).currency_converter)
}

const RATE_UNITS = 8

/**
 * Converts an order's amount.
 * @returns null if the currency is the same, a third currency was chosen, or the converted amount
 *   is 0 or too high
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
