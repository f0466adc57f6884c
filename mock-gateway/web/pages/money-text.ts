import { LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import { type Currency, DECIMALS } from '../../domain/money/currencies.ts'
import { fitsCurrency, formatAmount, type Hundredths } from '../../domain/money/money.ts'

/**
 * An amount as people write it: `250,00 kr`, `€12.50`. Decimals are those of the currency, two at most (specification:
 * Limits); what the currency does not have and the order does is shown all the same.
 */
export function moneyText(amount: Hundredths, currency: Currency, locale: Locale): string {
  const digits = fitsCurrency(amount, currency) ? Math.min(DECIMALS[currency], 2) : 2
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  // As text: a float would round large amounts.
  return new Intl.NumberFormat(LANGUAGES[locale].numbers, style).format(
    formatAmount(amount) as Intl.StringNumericLiteral,
  )
}
