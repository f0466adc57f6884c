import { LANGUAGES, type Language, type Locale } from '../language/languages.ts'
import { type Currency, DECIMALS } from './currencies.ts'
import { fitsCurrency, formatAmount, type Hundredths } from './money.ts'

/**
 * Formats an amount for people: `250,00 kr`, `€12.50`. Decimals are those of the currency, two at
 * most (specification: Limits), and any additional ones of the order.
 */
export function formatMoney(amount: Hundredths, currency: Currency, locale: Locale): string {
  const { thousands, decimals, minus, symbolFirst, symbols }: Language['money'] =
    LANGUAGES[locale].money
  const [whole = '', fraction] = formatAmount(amount).replace('-', '').split('.')
  const hasDecimals = DECIMALS[currency] > 0 || !fitsCurrency(amount, currency)
  const number = splitIntoGroups(whole).join(thousands) + (hasDecimals ? decimals + fraction : '')
  const sign = amount < 0 ? minus : ''
  const code = currency.toUpperCase()
  return symbolFirst
    ? `${sign}${symbols[currency] ?? `${code}\u00a0`}${number}`
    : `${sign}${number}\u00a0${symbols[currency] ?? code}`
}

/** Returns the groups of three digits of a whole number. */
function splitIntoGroups(digits: string): string[] {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3)
    groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups
}
