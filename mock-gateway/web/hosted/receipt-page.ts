import { maskWords } from '../../domain/characters.ts'
import { isNested, type JsonValue } from '../../domain/json.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { readCurrency } from '../../domain/money/currencies.ts'
import { formatMoney, NOTHING, readAmountFilter } from '../../domain/money/money.ts'
import { WALLETS } from '../../domain/order/wallets.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { TransactionParts } from '../../storage/transaction-parts.ts'
import { createCardLabel, renderCardLabel } from '../pages/card-label.ts'
import { type Fact, html, renderFacts, type SafeHtml } from '../pages/html.ts'
import { createBackAddress } from './addresses.ts'
import { createMethod } from './choices.ts'
import { listCountryOptions } from './fields.ts'
import { renderAmountLine, renderItems, renderOrderPage, renderTestNote } from './order.ts'
import { type HostedContext, type HostedPage, renderBackLink, renderLocalTime } from './page.ts'
import type { HostedTexts } from './texts/sv.ts'
import type { PaymentVisit } from './visit.ts'

/** Builds the receipt of a completed payment. */
export const renderReceiptPage = (visit: PaymentVisit, { refunds }: TransactionParts): HostedPage =>
  renderOrderPage(visit, (context) => {
    const { row } = visit
    const { locale, text, order } = context
    const heading = chooseHeading(row)
    const hint = { paid: null, reserved: text.reserved_hint, bought: text.bought_hint }[heading]
    const details = renderDetails(row, text)
    const payer = renderFacts(listPayerFacts(row, context))
    return {
      title: `${text[heading]} – ${order.merchant}`,
      main: html`<main>
<h1 class="is good">${text[heading]}</h1>
${hint && html`<p class="quiet">${hint}</p>`}
${renderAmountLine(context)}
${renderItems(context)}
<div class="head"><h2>${text.receipt}</h2>
<button type="button" class="plain" id="print" hidden>${text.print}</button></div>
${renderFacts([
  [text.order, order.payment_ref],
  [
    heading === 'paid' ? text.paid_at : text.date,
    row.processed_at && renderLocalTime(row.processed_at, locale),
  ],
  createMethodFact(context, row),
  [text.paid_in, paidIn(row, locale)],
  [text.reference, row.id],
  ...refunds.map(({ amount, reason }): Fact => {
    const refund = formatMoney(amount, row.currency, locale)
    return [text.refunded, html`${refund}<span class="quiet"> ${reason}</span>`]
  }),
])}
${
  payer &&
  html`<h2>${text.your_details}</h2>
${payer}`
}
${
  details &&
  html`<details>
<summary>${text.details}</summary>
${details}
</details>`
}
${renderBackLink(context, createBackAddress(row.success_url, visit))}
${renderTestNote(context)}
</main>`,
    }
  })

/** Returns the card, or the name of another method. */
function createMethodFact({ text }: HostedContext, row: TransactionRow): Fact {
  const { card_type, card_number, wallet_type, payment_method } = row
  if (!card_number) return [text.choose_method, text.methods[createMethod(payment_method)].name]
  if (!card_type) return [text.card_used, null]
  const card = renderCardLabel(createCardLabel(card_type, card_number))
  const wallet = wallet_type && html` <span class="quiet">${WALLETS[wallet_type].name}</span>`
  return [text.card_used, html`${card}${wallet}`]
}

/** An invoice does not reserve money. */
function chooseHeading({ status, payment_method }: TransactionRow) {
  if (payment_method === 'invoice') return 'bought'
  return status === 'authorized' ? 'reserved' : 'paid'
}

/**
 * Returns the payer's details, typed or sent by the merchant; data from a register only as far as
 * the payer needs them to recognise the person.
 */
function listPayerFacts(
  { payment_details, payment_method }: TransactionRow,
  { text, locale }: HostedContext,
): readonly Fact[] {
  const details = payment_details ?? {}
  const shown = payment_method === 'invoice' ? maskWords : (words: string) => words
  const joined = (...parts: readonly (string | undefined)[]) =>
    shown(parts.filter(Boolean).join(' '))
  const { first_name, last_name, address_1, address_2, zip, city, country_code } = details
  const [country] = country_code === undefined ? [] : listCountryOptions(locale, [country_code])
  const address = [joined(address_1), joined(address_2), joined(zip, city), country?.name]
  return [
    [text.name, joined(first_name, last_name)],
    [text.email, details.email ?? null],
    [text.phone, details.phone ?? null],
    [text.address_1, address.filter(Boolean).join(', ')],
  ]
}

/** Returns the amount in the card's currency, if the payer chose to pay in it. */
function paidIn({ currency_converter: converter }: TransactionRow, locale: Locale): string | null {
  if (converter === null || converter.chosen_currency !== converter.currency) return null
  const amount = readAmountFilter(converter.amount) ?? NOTHING
  return formatMoney(amount, readCurrency(converter.currency), locale)
}

/** Maximum number of metadata rows on a receipt (our decision). */
const MOST_DETAILS = 50

/** Lists metadata as paths and values, without the instructions of a test. */
function renderDetails({ metadata }: TransactionRow, text: HostedTexts): SafeHtml | null {
  const { service_instructions: _ofTheTest, ...shown } = metadata ?? {}
  return renderFacts(listDetails(shown, '', text).slice(0, MOST_DETAILS))
}

function listDetails(
  value: JsonValue | undefined,
  name: string,
  text: HostedTexts,
): readonly Fact[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'boolean') return [[name, value ? text.yes : text.no]]
  if (!isNested(value)) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, member]) =>
    listDetails(member, name === '' ? key : `${name}.${key}`, text),
  )
}
