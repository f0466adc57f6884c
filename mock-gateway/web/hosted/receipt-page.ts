import type { Addresses } from '../../domain/addresses.ts'
import { maskWords } from '../../domain/card/mask.ts'
import { isNested, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import { readCurrency } from '../../domain/money/currencies.ts'
import { amountIn, NOTHING } from '../../domain/money/money.ts'
import { WALLETS } from '../../domain/order/wallets.ts'
import type { RefundRow } from '../../storage/tables/refunds.ts'
import type { TransactionParts } from '../../storage/transaction-parts.ts'
import { moneyText } from '../pages/money-text.ts'
import { timeText } from '../pages/time-text.ts'
import { writtenCard } from '../pages/written-card.ts'
import { countryOptions } from './countries.ts'
import { methodOf } from './methods.ts'
import type { HostedPage } from './page.ts'
import { returnAddress } from './return-address.ts'
import type { HostedTexts } from './texts/words.ts'
import { TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'

/** A row of a receipt. */
interface ReceiptDetail {
  readonly name: string
  readonly value: string
}

/** Builds the receipt of a completed payment. */
export const receiptPage = (
  { row, merchant }: PaymentVisit,
  { refunds }: TransactionParts,
  addresses: Addresses,
): HostedPage => ({
  view: 'receipt',
  of: { row, merchant },
  data: (locale) => ({
    ...headingOf(row),
    method: row.card_number ? null : TEXTS[locale].methods[methodOf(row.payment_method)].name,
    paid_at:
      row.processed_at === null
        ? null
        : timeText(row.processed_at, LANGUAGES[locale].numbers, 'UTC'),
    paid_at_value: row.processed_at === null ? null : new Date(row.processed_at).toISOString(),
    numbers: LANGUAGES[locale].numbers,
    card: row.card_type && row.card_number ? writtenCard(row.card_type, row.card_number) : null,
    wallet: row.wallet_type === null ? null : WALLETS[row.wallet_type].name,
    paid_in: paidIn(row, locale),
    transaction_id: row.id,
    refunds: refunds.map((refund) => shownRefund(refund, row.currency, locale)),
    payer: payerOf(row, locale),
    details: detailsOf(row.metadata, locale),
    back: row.success_url ? returnAddress(row, merchant, addresses) : null,
  }),
})

/** Returns the heading and the next step: an invoice does not reserve money. */
function headingOf({ status, payment_method }: PaymentVisit['row']): {
  heading: keyof HostedTexts
  heading_hint: keyof HostedTexts | null
} {
  if (payment_method === 'invoice') return { heading: 'bought', heading_hint: 'bought_hint' }
  return status === 'authorized'
    ? { heading: 'reserved', heading_hint: 'reserved_hint' }
    : { heading: 'paid', heading_hint: null }
}

/**
 * Returns the payer's details, typed or sent by the merchant; data from a register only as far as
 * the payer needs them to recognise the person.
 */
function payerOf(
  { payment_details, payment_method }: PaymentVisit['row'],
  locale: Locale,
): readonly ReceiptDetail[] {
  const shown = payment_method === 'invoice' ? maskWords : (text: string) => text
  const joined = (...parts: readonly (string | undefined)[]) =>
    shown(parts.filter(Boolean).join(' '))
  const {
    email = '',
    phone = '',
    first_name,
    last_name,
    zip,
    city,
    country_code,
  } = payment_details ?? {}
  const { address_1, address_2 } = payment_details ?? {}
  const [country] = country_code === undefined ? [] : countryOptions(locale, [country_code])
  const address = [joined(address_1), joined(address_2), joined(zip, city), country?.name ?? '']
  const texts = TEXTS[locale]
  return [
    { name: texts.name, value: joined(first_name, last_name) },
    { name: texts.email, value: email },
    { name: texts.phone, value: phone },
    { name: texts.address_1, value: address.filter(Boolean).join(', ') },
  ].filter(({ value }) => value !== '')
}

/** Returns the amount in the card's currency, if the payer chose to pay in it. */
function paidIn(
  { currency_converter: converter }: PaymentVisit['row'],
  locale: Locale,
): string | null {
  if (converter === null || converter.chosen_currency !== converter.currency) return null
  return moneyText(amountIn(converter.amount) ?? NOTHING, readCurrency(converter.currency), locale)
}

const shownRefund = (
  { amount, reason }: RefundRow,
  currency: PaymentVisit['row']['currency'],
  locale: Locale,
) => ({
  amount: moneyText(amount, currency, locale),
  reason,
})

/** Maximum number of metadata rows on a receipt (our decision). */
const MOST_DETAILS = 50

/** Lists metadata as paths and values, without the instructions of a test. */
function detailsOf(metadata: JsonObject | null, locale: Locale): readonly ReceiptDetail[] {
  const { service_instructions: _ofTheTest, ...shown } = metadata ?? {}
  return leaves(shown, '', TEXTS[locale]).slice(0, MOST_DETAILS)
}

function leaves(
  value: JsonValue | undefined,
  name: string,
  texts: HostedTexts,
): readonly ReceiptDetail[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'boolean') return [{ name, value: value ? texts.yes : texts.no }]
  if (!isNested(value)) return [{ name, value: String(value) }]
  return Object.entries(value).flatMap(([key, member]) =>
    leaves(member, name === '' ? key : `${name}.${key}`, texts),
  )
}
