import type { Addresses } from '../../domain/addresses.ts'
import { maskWords } from '../../domain/card/mask.ts'
import { isNested, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { readCurrency } from '../../domain/money/currencies.ts'
import { amountIn, NOTHING } from '../../domain/money/money.ts'
import { moneyText } from '../../domain/money/money-text.ts'
import { WALLETS } from '../../domain/order/wallets.ts'
import type { TransactionParts } from '../../storage/transaction-parts.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { cardText, writtenCard } from '../pages/written-card.ts'
import { countryOptions } from './countries.ts'
import { methodOf } from './methods.ts'
import { shownOrder } from './order.ts'
import type { HostedPage } from './page.ts'
import { returnAddress } from './return-address.ts'
import type { HostedTexts } from './texts/words.ts'
import { TEXTS } from './texts.ts'
import { goods } from './views/order.ts'
import {
  amountLine,
  backLink,
  type HostedContext,
  header,
  localTime,
  payerDocument,
} from './views/sheet.ts'
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
  of: { row, merchant },
  view: (context) => {
    const { locale, text } = context
    const order = shownOrder(row, merchant, locale)
    const { heading, hint } = headingOf(row)
    const processedAt = row.processed_at && localTime(row.processed_at, locale)
    const payer = payerOf(row, locale)
    const details = detailsOf(row.metadata, locale)
    return payerDocument(context, {
      title: `${text[heading]} – ${order.merchant}`,
      body: html`<div class="sheet narrow">
${header(context, order)}
<main>
<h1 class="done">${text[heading]}</h1>
${hint && html`<p class="quiet">${text[hint]}</p>`}
${amountLine(order)}
${goods(context, order, false)}
<div class="head"><h2>${text.receipt}</h2>
<button type="button" class="plain" id="print" hidden>${text.print}</button></div>
<dl>
${fact(text.order, order.payment_ref)}
${fact(heading === 'paid' ? text.paid_at : text.date, processedAt)}
${methodFact(context, row)}
${fact(text.paid_in, paidIn(row, locale))}
${fact(text.reference, row.id)}
${refunds.map(({ amount, reason }) => {
  const refunded = moneyText(amount, row.currency, locale)
  return fact(text.refunded, html`${refunded}<span class="quiet"> ${reason}</span>`)
})}</dl>
${
  payer.length > 0
    ? html`<h2>${text.your_details}</h2>
<dl>
${payer.map(({ name, value }) => fact(name, value))}</dl>`
    : null
}
${
  details.length > 0
    ? html`<details>
<summary>${text.details}</summary>
<dl>
${details.map(({ name, value }) => fact(name, value))}</dl>
</details>`
    : null
}
${backLink(context, row.success_url ? returnAddress(row, merchant, addresses) : null)}
${order.test ? html`<p class="quiet small">${text.test}</p>` : null}
</main>
</div>`,
    })
  },
})

/** Renders a row of the receipt; nothing without a value. */
const fact = (name: string, value: SafeHtml | string | number | null): SafeHtml | null =>
  value === null
    ? null
    : html`<div><dt>${name}</dt><dd>${value}</dd></div>
`

/** Renders the card, or the name of another method. */
function methodFact({ text }: HostedContext, row: PaymentVisit['row']): SafeHtml | null {
  const { card_type, card_number, wallet_type } = row
  if (!card_number) return fact(text.choose_method, text.methods[methodOf(row.payment_method)].name)
  if (!card_type) return null
  const wallet = wallet_type && html` <span class="quiet">${WALLETS[wallet_type].name}</span>`
  return fact(text.card_used, html`${cardText(writtenCard(card_type, card_number))}${wallet}`)
}

/** Returns the heading and the next step: an invoice does not reserve money. */
function headingOf({ status, payment_method }: PaymentVisit['row']): {
  readonly heading: 'bought' | 'reserved' | 'paid'
  readonly hint: 'bought_hint' | 'reserved_hint' | null
} {
  if (payment_method === 'invoice') return { heading: 'bought', hint: 'bought_hint' }
  return status === 'authorized'
    ? { heading: 'reserved', hint: 'reserved_hint' }
    : { heading: 'paid', hint: null }
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

/** Maximum number of metadata rows on a receipt (our decision). */
const MOST_DETAILS = 50

/** Lists metadata as paths and values, without the instructions of a test. */
function detailsOf(metadata: JsonObject | null, locale: Locale): readonly ReceiptDetail[] {
  const { service_instructions: _ofTheTest, ...shown } = metadata ?? {}
  return listDetails(shown, '', TEXTS[locale]).slice(0, MOST_DETAILS)
}

function listDetails(
  value: JsonValue | undefined,
  name: string,
  texts: HostedTexts,
): readonly ReceiptDetail[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'boolean') return [{ name, value: value ? texts.yes : texts.no }]
  if (!isNested(value)) return [{ name, value: String(value) }]
  return Object.entries(value).flatMap(([key, member]) =>
    listDetails(member, name === '' ? key : `${name}.${key}`, texts),
  )
}
