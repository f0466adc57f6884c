import { badFormat } from '../../../domain/errors/errors.ts'
import { formatAmount, type Hundredths, readAmountFilter } from '../../../domain/money/money.ts'
import { type Parameters, text } from '../../../parsing/parameters/parameters.ts'

/**
 * Parses an amount as people type it, or as the console shows it: `10`, `10.5`, `10,50`, `1 000`,
 * `1,000.00`; otherwise undefined, also below zero and for `1,000`, which could mean 1 or 1000.
 */
export function typedAmount(typed: string): Hundredths | undefined {
  const amount = readAmountFilter(typed.replace(/\s|,(?=\d{3}.*\.\d\d$)/g, '').replace(',', '.'))
  return amount === undefined || amount < 0 ? undefined : amount
}

/** Converts `amount` to the API's format; an unreadable one stays, and the API rejects it. */
export function withTypedAmount(parameters: Parameters): Parameters {
  const amount = typedAmount(text<string>(parameters, 'amount') ?? '')
  return amount === undefined ? parameters : { ...parameters, amount: formatAmount(amount) }
}

/** Names of form fields that have one amount for each currency. */
export const PRICES = ['prices', 'setup_fees']

/**
 * Converts prices written one currency on a line to the API's format; an empty field removes the
 * fees.
 */
export const readPriceLines = (sent: Parameters): Parameters => ({
  ...sent,
  ...Object.fromEntries(
    PRICES.flatMap((name) => {
      const written = sent[name]
      return typeof written === 'string' && !/^\s*[{%]/.test(written)
        ? [[name, pricesOn(name, written)]]
        : []
    }),
  ),
})

/** @throws errors.request.bad_format (253) */
function pricesOn(name: string, text: string): Readonly<Record<string, string>> {
  const prices: Record<string, string> = {}
  for (const line of text.split(/[\r\n,]+/)) {
    const [currency, amount, ...more] = line.trim().split(/[\s:]+/)
    if (!currency) continue
    if (amount === undefined || more.length > 0 || currency in prices)
      throw badFormat(
        `${name}: write each currency once, on a line of its own, for example sek 99.00.`,
      )
    prices[currency] = amount
  }
  return prices
}
