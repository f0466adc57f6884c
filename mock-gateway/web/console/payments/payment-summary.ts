import type { Transaction } from '../../../contract/wire.ts'
import { isObject, type JsonObject } from '../../../domain/json.ts'
import { amountIn, formatAmount, type Hundredths } from '../../../domain/money/money.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import {
  amountText,
  cardText,
  cell,
  formatCount,
  moneyText,
  paymentStatus,
  status,
  time,
} from '../parts/cells.ts'

/** Renders amount and status of a payment: the heading of its page. */
export function amountLine({ amount, currency, status: state, ...rest }: Transaction): SafeHtml {
  const returned = returnedMoney({ amount, currency, status: state, ...rest })
  return html`<span class="amount">${moneyText(amount, currency)}
${cell(returned ? status(returned.name) : paymentStatus(state))}</span>`
}

/** Webhooks and mails of a payment. */
interface Told {
  readonly count: number
  readonly failed: number
}

/** Tells in one sentence who paid which order, how, and whether the shop was told. */
export function paymentSentence(transaction: Transaction, facts: Told): string {
  const { payment_ref, customer_name, card_holder, status: state, refunds } = transaction
  const payer = customer_name || card_holder || 'A payer'
  const card = describeMethod(transaction)
  const after = hasChallenge(transaction) ? ', after a challenge at the bank' : ''
  const order = `order ${payment_ref}`
  const sentence = {
    pending: `${order} is not paid yet: the payer has not finished`,
    '3ds pending': `${payer} is at the bank, which asks for 3-D Secure, to pay ${order}`,
    authorized: `${payer} reserved the amount of ${order}${card}${after}${refunds.length > 0 ? '' : '. Capture it when you send the goods'}`,
    'capture pending': `The bank has not confirmed the capture of ${order} yet`,
    approved: `${payer} paid ${order}${card}${after}`,
    declined: `${payer} tried to pay ${order}${card}, and was declined`,
    failed: `${payer} tried to pay ${order}${card}, and the payment failed`,
  }[state]
  const webhooks =
    facts.count === 0 || state === 'pending'
      ? ''
      : facts.failed > 0
        ? ` Your shop was not notified: ${formatCount(facts.failed, 'webhook')} failed permanently.`
        : ' Your shop received a webhook.'
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${webhooks}`
}

/** Describes the card or other method of a payment, such as ` with Visa 1091`. */
function describeMethod({ card_number, card_type, payment_method }: Transaction): string {
  if (card_number) return ` with ${cardText(card_type ?? '', card_number)}`
  return payment_method ? ` by ${payment_method.replaceAll('_', ' ')}` : ''
}

/** Renders the steps of a payment: what is done, what failed and what is missing. */
export function paymentSteps(transaction: Transaction, facts: Told): SafeHtml {
  const { status: state, created_at, captures, currency, error } = transaction
  const secured = findThreeDSecure(transaction)
  const isPaid = ['authorized', 'capture pending', 'approved'].includes(state)
  const isRefused = state === 'declined' || state === 'failed'
  const captured = addAmounts(captures)
  const steps: readonly (readonly [name: string, tone: string, note: string])[] = [
    ['Created', 'good', created_at.slice(11, 19)],
    ...(secured || state === '3ds pending'
      ? [
          state === '3ds pending'
            ? (['Authenticated', 'waiting', 'waits for the payer'] as const)
            : ([
                'Authenticated',
                secured?.trans_status === 'Y' || secured?.trans_status === 'A' ? 'good' : 'bad',
                secured?.flow === 'challenge' ? 'challenge' : 'frictionless',
              ] as const),
        ]
      : []),
    isRefused
      ? [state === 'declined' ? 'Declined' : 'Failed', 'bad', error ? `error ${error.code}` : '']
      : [
          isPaid ? 'Approved' : 'Approval',
          isPaid ? 'good' : '',
          isPaid ? 'by the bank' : 'not yet',
        ],
    state === 'approved'
      ? ['Captured', 'good', captured > 0 ? moneyText(formatAmount(captured), currency) : 'at once']
      : ['Capture', state === 'capture pending' ? 'waiting' : '', isRefused ? 'none' : 'not yet'],
    facts.failed > 0
      ? ['Shop was not notified', 'bad', `${formatCount(facts.failed, 'webhook')} failed`]
      : facts.count > 0
        ? ['Shop was notified', 'good', formatCount(facts.count, 'webhook')]
        : ['Shop', '', 'no webhook registered'],
  ]
  return html`<ol class="progress">${steps.map(
    ([name, tone, note]) => html`<li class="${tone}"><strong>${name}</strong>${note}</li>`,
  )}</ol>`
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
    return { name: 'Released', sentence: 'The reservation is released. No money was taken.' }
  const refunded = addAmounts(refunds)
  return refunded >= (amountIn(amount) ?? 0)
    ? { name: 'Refunded', sentence: 'Refunded in full.' }
    : {
        name: 'Partly refunded',
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
  const captured = addAmounts(transaction.captures)
  const refunded = addAmounts(transaction.refunds)
  const payer = customer_name || card_holder
  const threeDSecure = threeDSecureText(transaction)
  const expiry = card_expiry && `expires ${card_expiry.slice(0, 2)}/${card_expiry.slice(2)}`
  const card = card_number
    ? html`${cardText(card_type ?? '', card_number)}
${expiry && html`<span class="note">${expiry}</span>`}`
    : html`<span class="quiet">none yet</span>`
  return html`<dl class="facts">
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

/** Returns the last result of 3-D Secure; null for a payment without it. */
function findThreeDSecure({ log_events }: Transaction): JsonObject | null {
  const found = log_events
    .map(({ data }) => (data as JsonObject).three_d_secure)
    .findLast((each) => isObject(each))
  return isObject(found) ? found : null
}

const hasChallenge = (transaction: Transaction): boolean =>
  findThreeDSecure(transaction)?.flow === 'challenge'

/** Describes 3-D Secure; null for a payment without it. */
function threeDSecureText(transaction: Transaction): SafeHtml | string | null {
  if (transaction.status === '3ds pending') return 'Waiting for the payer'
  const found = findThreeDSecure(transaction)
  if (!found) return null
  const { trans_status, flow, eci, version } = found
  const result = RESULTS[String(trans_status)] ?? 'No answer from the bank'
  const how = flow === 'challenge' ? 'after a challenge' : 'without a challenge (frictionless)'
  return html`${result}, ${how}
<span class="note">ECI ${String(eci)}, version ${String(version)}</span>`
}

/** Adds up captures or refunds. */
const addAmounts = (parts: readonly { readonly amount: string }[]): Hundredths =>
  parts.reduce((sum, { amount }) => sum + (amountIn(amount) ?? 0), 0) as Hundredths
