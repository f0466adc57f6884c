import type { Transaction } from '../../contract/wire.ts'
import { isObject, type JsonObject } from '../../domain/json.ts'
import { amountIn, formatAmount, type Hundredths } from '../../domain/money/money.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { amountText, cardText, moneyText, status, time } from './cells.ts'
import { cell } from './design/cell.ts'

/** Renders amount and status of a payment: the first line of its pages. */
export function amountLine(transaction: Transaction): SafeHtml {
  const { amount, currency, status: state } = transaction
  const returned = returnedMoney(transaction)
  return html`<p class="amount">${moneyText(amount, currency)}
${cell(status(state))} ${returned && cell(status(returned.name))}</p>`
}

/** Describes the refunds of a payment, or its released reservation; null without refunds. */
export function returnedMoney({
  amount,
  currency,
  status: state,
  refunds,
}: Pick<Transaction, 'amount' | 'currency' | 'status' | 'refunds'>): {
  readonly name: string
  readonly sentence: string
} | null {
  if (refunds.length === 0) return null
  if (state === 'authorized')
    return { name: 'released', sentence: 'The reservation is released. No money was taken.' }
  const refunded = sumOf(refunds)
  return refunded >= (amountIn(amount) ?? 0)
    ? { name: 'refunded', sentence: 'Refunded in full.' }
    : {
        name: 'partly refunded',
        sentence: `Refunded ${amountText(formatAmount(refunded))} of ${moneyText(amount, currency)}.`,
      }
}

/** Summarizes payer, card, order, sums and 3-D Secure. */
export function paymentSummary(transaction: Transaction, home: string): SafeHtml {
  const {
    payment_ref,
    currency,
    customer,
    customer_name,
    card_holder,
    card_number,
    card_type,
    card_expiry,
    created_at,
    subscription,
  } = transaction
  const inCurrency = (hundredths: Hundredths) => moneyText(formatAmount(hundredths), currency)
  const captured = sumOf(transaction.captures)
  const refunded = sumOf(transaction.refunds)
  const payer = customer_name || card_holder
  const threeDSecure = threeDSecureText(transaction)
  const expiry = card_expiry && `expires ${card_expiry.slice(0, 2)}/${card_expiry.slice(2)}`
  const card = card_number
    ? html`${cardText(card_type ?? '', card_number)}
${expiry && html`<span class="note">${expiry}</span>`}`
    : html`<span class="quiet">none yet</span>`
  return html`<dl class="summary">
<div><dt>Order</dt><dd><span data-copy>${payment_ref}</span></dd></div>
<div><dt>Created</dt><dd>${cell(time(created_at))}</dd></div>
<div><dt>Payer</dt><dd>${payer || (customer ? null : html`<span class="quiet">unknown</span>`)}
${
  customer &&
  html`<span class="note"><a href="${home}/customers/${customer.id}">customer ${customer.id}</a></span>`
}</dd>
</div>
<div><dt>Card</dt><dd>${card}</dd></div>
${captured > 0 ? html`<div><dt>Captured</dt><dd>${inCurrency(captured)}</dd></div>` : null}
${refunded > 0 ? html`<div><dt>Refunded</dt><dd>${inCurrency(refunded)}</dd></div>` : null}
${
  subscription &&
  html`<div><dt>Subscription</dt>
<dd><a href="${home}/subscriptions/${subscription.id}">${subscription.id}</a></dd></div>`
}
${threeDSecure && html`<div><dt>3-D Secure</dt><dd>${threeDSecure}</dd></div>`}
</dl>`
}

/** Results of 3-D Secure by the status of EMV 3-D Secure. */
const RESULTS: Readonly<Record<string, string>> = {
  Y: 'Authenticated',
  A: 'Attempted: the bank could not authenticate the payer, but accepts the risk',
  N: 'Not authenticated',
  U: 'Unavailable',
  R: 'Rejected by the bank',
}

/** Describes 3-D Secure; null for a payment without it. */
function threeDSecureText({ status, log_events }: Transaction): SafeHtml | string | null {
  if (status === '3ds pending') return 'Waiting for the payer'
  const found = log_events
    .map(({ data }) => (data as JsonObject).three_d_secure)
    .findLast((each) => isObject(each))
  if (!isObject(found)) return null
  const { trans_status, flow, eci, version } = found
  const result = RESULTS[String(trans_status)] ?? 'No answer from the bank'
  const how = flow === 'challenge' ? 'after a challenge' : 'without a challenge (frictionless)'
  return html`${result}, ${how}
<span class="note">ECI ${String(eci)}, version ${String(version)}</span>`
}

/** Adds up captures or refunds. */
const sumOf = (parts: readonly { readonly amount: string }[]): Hundredths =>
  parts.reduce((sum, { amount }) => sum + (amountIn(amount) ?? 0), 0) as Hundredths
