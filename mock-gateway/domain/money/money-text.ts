import { LANGUAGES, type Locale } from '../language/languages.ts'
import { memoized } from '../memoized.ts'
import { type Currency, DECIMALS } from './currencies.ts'
import { fitsCurrency, formatAmount, type Hundredths } from './money.ts'

/**
 * Formats an amount for people: `250,00 kr`, `€12.50`. Decimals are those of the currency, two at
 * most (specification: Limits), and any additional ones of the order.
 */
export function moneyText(amount: Hundredths, currency: Currency, locale: Locale): string {
  const digits = fitsCurrency(amount, currency) ? Math.min(DECIMALS[currency], 2) : 2
  // As text: a float would round large amounts.
  const text = formatAmount(amount) as Intl.StringNumericLiteral
  return formatOf(`${LANGUAGES[locale].numbers} ${currency} ${digits}`).format(text)
}

/**
 * Returns a cached formatter, because creating one is slow.
 * @param named language, currency and decimals
 */
const formatOf = memoized(100, (named) => {
  const [language, currency, decimals] = named.split(' ')
  const digits = Number(decimals)
  const style = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const
  return new Intl.NumberFormat(language, style)
})
