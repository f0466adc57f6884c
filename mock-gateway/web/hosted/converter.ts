import { GatewayError } from '../../domain/errors/errors.ts'
import { LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import { type ConverterOffer, converterOffer } from '../../domain/money/converter.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { moneyText } from '../pages/money-text.ts'
import type { Problem } from './problems.ts'
import { TEXTS } from './texts.ts'
import type { Visit } from './visit.ts'

/** What a payer by card is offered in the currency of the card (decision 102). */
const offerOf = ({ row, merchant }: Visit): ConverterOffer | undefined =>
  converterOffer(merchant.settings.currency_converter, row.amount, row.currency)

/** What the buttons say: an offer that has changed since is none that was chosen. */
const choiceOf = ({ currency, amount }: ConverterOffer): string => `${currency} ${formatAmount(amount)}`

/** The currency that was chosen; undefined where nothing was offered, or nothing was chosen of it. */
export function chosenCurrency(visit: Visit, parameters: Parameters): Currency | undefined {
  const offer = offerOf(visit)
  const chosen = text(parameters, 'pay_in')
  if (!offer) return undefined
  if (chosen === choiceOf(offer)) return offer.currency
  return chosen === visit.row.currency ? visit.row.currency : undefined
}

/** That a payer who is offered two currencies has chosen none; nobody chooses for the payer. */
export function converterProblems(visit: Visit, parameters: Parameters): Problem[] {
  if (!offerOf(visit) || chosenCurrency(visit, parameters)) return []
  return [
    {
      field: 'pay_in',
      refusal: new GatewayError('errors.currency.missing', {
        explain: 'pay_in says none of the currencies that the page offers',
      }),
      label: (locale) => TEXTS[locale].pay_in,
      text: (locale) => TEXTS[locale].pay_in_missing,
    },
  ]
}

/** What stands before the decimals of a number. */
const decimalSign = (locale: Locale): string =>
  new Intl.NumberFormat(LANGUAGES[locale].numbers).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ??
  '.'

/** The two choices as the view shows them; none where nothing is offered. */
export function shownConverter(visit: Visit, parameters: Parameters, locale: Locale) {
  const offer = offerOf(visit)
  if (!offer) return []
  const { amount, currency } = visit.row
  const texts = TEXTS[locale]
  const chosen = chosenCurrency(visit, parameters)
  const written = offer.rate.replace('.', decimalSign(locale))
  const rate = `1\u00a0${currency.toUpperCase()} = ${written}\u00a0${offer.currency.toUpperCase()}`
  return [
    {
      value: currency,
      amount: amount === null ? '' : moneyText(amount, currency, locale),
      hint: texts.pay_in_order,
      is_chosen: chosen === currency,
    },
    {
      value: choiceOf(offer),
      amount: moneyText(offer.amount, offer.currency, locale),
      hint: `${texts.pay_in_card} ${rate}`,
      is_chosen: chosen === offer.currency,
    },
  ]
}
