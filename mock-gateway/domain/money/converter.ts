import { z } from 'zod'
import type { CurrencyConverter } from '../../contract/wire.ts'
import { type Currency, DECIMALS } from './currencies.ts'
import { formatAmount, type Hundredths, hundredths } from './money.ts'

/** In which currency a merchant's payers may pay besides that of the order (decision 102). */
export interface ConverterSettings {
  /** The currency that payers' cards have. */
  card_currency: Currency
  /** How much of it one unit of each currency is, as decimal text: "0.0880". */
  rates: { [Of in Currency]?: string }
}

const RATE = /^(?=.*[1-9])(?:0|[1-9]\d{0,5})(?:\.\d{1,8})?$/

const currency = z.enum(Object.keys(DECIMALS) as [Currency, ...Currency[]])

export const converterSettings = z.strictObject({
  card_currency: currency,
  rates: z.partialRecord(currency, z.string().regex(RATE, 'must be a number above 0 such as "0.0880"')),
}) satisfies z.ZodType<ConverterSettings, ConverterSettings>

/** What the order costs in the currency of the payer's card. */
export interface ConverterOffer {
  readonly amount: Hundredths
  readonly currency: Currency
  readonly rate: string
}

const RATE_UNITS = 8

/**
 * What a payer is offered; undefined where there is nothing to offer: no rate, the same currency, or an amount that is
 * nothing or beyond what an amount may be.
 */
export function converterOffer(
  settings: ConverterSettings | undefined,
  amount: Hundredths | null,
  currency: Currency,
): ConverterOffer | undefined {
  const rate = settings?.rates[currency]
  if (!settings || rate === undefined || amount === null || settings.card_currency === currency) return undefined
  const converted = convert(amount, rate, DECIMALS[settings.card_currency])
  const isPayable = converted > 0 && Number.isSafeInteger(converted)
  return isPayable ? { amount: hundredths(converted), currency: settings.card_currency, rate } : undefined
}

/** Rounded half up to a unit that the currency has, and kept in hundredths. */
function convert(amount: Hundredths, rate: string, decimals: number): number {
  const [whole = '', fraction = ''] = rate.split('.')
  const exact = BigInt(amount) * BigInt(whole + fraction.padEnd(RATE_UNITS, '0'))
  const unit = 10n ** BigInt(RATE_UNITS) * (decimals > 0 ? 1n : 100n)
  return Number((exact + unit / 2n) / unit) * (decimals > 0 ? 1 : 100)
}

/** What is kept of a choice; null where nothing was offered, or something else was chosen. */
export function chosenOf(
  offer: ConverterOffer | undefined,
  currency: Currency,
  chosen: Currency,
): CurrencyConverter | null {
  if (!offer || (chosen !== offer.currency && chosen !== currency)) return null
  return { amount: formatAmount(offer.amount), currency: offer.currency, rate: offer.rate, chosen_currency: chosen }
}
