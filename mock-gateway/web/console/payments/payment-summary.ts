import { DECLINED_EXPIRIES } from '../../../acquirer/test-mode.ts'
import type { Transaction } from '../../../contract/wire.ts'
import { formatAmount, type Hundredths, readAmountFilter } from '../../../domain/money/money.ts'
import { STATES } from '../../../domain/order/states.ts'
import { findRequests } from '../../../storage/requests.ts'
import { findRow } from '../../../storage/rows.ts'
import { isFailed } from '../../../storage/tables/webhook-deliveries.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import { formatCount, formatMoney, presentAmount, renderCard } from '../parts/cells.ts'
import { findDocs, type MerchantVisit } from '../visit.ts'
import { shortAnswer } from '../webhooks/attempts.ts'
import { deliveryStatus, isHeld, type ListedDelivery } from '../webhooks/deliveries.ts'
import { addAmounts, findThreeDSecure } from './payment-facts.ts'

/** Tells in one sentence who paid which order, and how. */
export function paymentSentence(transaction: Transaction): string {
  const { payment_ref, customer_name, card_holder, status, refunds, error } = transaction
  const { transaction_type, subscription } = transaction
  const payer =
    transaction_type === 'recurring' && subscription
      ? `Subscription ${subscription.id}`
      : customer_name || card_holder || 'A payer'
  const card = describeMethod(transaction)
  const after =
    findThreeDSecure(transaction)?.flow === 'challenge' ? ', after a challenge at the bank' : ''
  const order = `order ${payment_ref}`
  const sentence = {
    pending: `${order} is not paid yet: the payer has not finished`,
    '3ds pending': `${payer} is at the bank, which asks for 3-D Secure, to pay ${order}`,
    authorized: `${payer} reserved the amount of ${order}${card}${after}${refunds.length > 0 ? '' : '. Capture it when you send the goods'}`,
    'capture pending': `The bank has not confirmed the capture of ${order} yet`,
    approved: `${payer} paid ${order}${card}${after}`,
    declined: `${payer} tried to pay ${order}${card}, and was declined`,
    failed: isCaptureFailed(transaction)
      ? `The bank declined the capture of ${order}`
      : error?.name === 'errors.transaction.timeout'
        ? `${order} was not paid in time`
        : `${payer} tried to pay ${order}${card}, and the payment failed`,
  }[status]
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

const isCaptureFailed = ({ status, log_events }: Transaction): boolean =>
  status === 'failed' && log_events.some(({ data }) => data.event === 'capture_failed')

/** Describes the card or other method of a payment, such as ` with Visa 1091`. */
function describeMethod({ card_number, card_type, payment_method }: Transaction): string {
  if (card_number) return ` with ${renderCard(card_type ?? '', card_number)}`
  return payment_method ? ` by ${payment_method.replaceAll('_', ' ')}` : ''
}

/** A step of a payment: what is done, what failed or what is missing. */
type Step = readonly [name: string, tone: 'good' | 'waiting' | 'bad' | '', note: string]

/** Describes if the shop was notified: as a step of the payment, and in a sentence. */
export function describeWebhooks(deliveries: readonly ListedDelivery[]): {
  readonly step: Step
  readonly sentence: string
  /** The sentence is about these webhooks, whose last attempt failed. */
  readonly failing?: readonly ListedDelivery[]
} {
  const webhooks = deliveries.filter(({ url }) => url !== null)
  const [newest] = webhooks
  if (!newest) return { step: ['Shop', '', 'no webhook'], sentence: '' }
  const all = formatCount(webhooks.length, 'webhook')
  const failing = webhooks.filter(isFailed)
  const failed = failing.length
  if (failed > 0)
    return {
      step: ['Shop was not notified', 'bad', `${formatCount(failed, 'webhook')} failed`],
      sentence:
        failed === webhooks.length
          ? `Your shop was not notified: ${all} failed permanently.`
          : `${failed} of ${all} failed permanently.`,
      failing,
    }
  const pending = webhooks.filter(({ status }) => status === 'pending')
  const [next] = pending
  if (next?.last && next.last.outcome !== 'delivered')
    return {
      step: ['Shop was not notified', 'waiting', deliveryStatus(next).text],
      sentence: `The webhook to your shop failed ${formatCount(next.calls, 'time')} (${shortAnswer(next.last, next.url)}).`,
      failing: [next],
    }
  if (next)
    return {
      step: ['Shop', 'waiting', `${formatCount(pending.length, 'webhook')} pending`],
      sentence: `The webhook to your shop is ${isHeld(next) ? 'held until you release it' : 'not sent yet'}.`,
    }
  const answer = newest.last && shortAnswer(newest.last, newest.url)
  return {
    step: ['Shop was notified', 'good', `${answer} in ${newest.last?.duration} ms`],
    sentence:
      webhooks.length === 1
        ? `Your shop got the webhook and answered ${answer}.`
        : `Your shop got ${all} and accepted them.`,
  }
}

/** Renders the steps of a payment. @param shop the step that notifies the shop */
export const renderPaymentSteps = (transaction: Transaction, shop: Step): SafeHtml =>
  html`<ol class="progress">${[
    ['Created', 'good', transaction.created_at.slice(11, 19)] as const,
    ...describeAuthentication(transaction),
    describeApproval(transaction),
    ...describeCapture(transaction),
    shop,
  ].map(
    ([name, tone, note]) =>
      html`<li class="${tone || 'off'}"><strong class="is">${name}</strong>${note}</li>`,
  )}</ol>`

const isDeclined = ({ status }: Transaction) => status === 'declined' || status === 'failed'

const nameError = ({ error }: Transaction) => (error ? `error ${error.code}` : '')

function describeApproval(transaction: Transaction): Step {
  const { status } = transaction
  if (isCaptureFailed(transaction)) return ['Approved', 'good', 'by the bank']
  if (isDeclined(transaction))
    return [status === 'declined' ? 'Declined' : 'Failed', 'bad', nameError(transaction)]
  return ['authorized', 'capture pending', 'approved'].includes(status)
    ? ['Approved', 'good', 'by the bank']
    : ['Approval', '', 'not yet']
}

/** Describes the steps of the capture and the refunds; a declined payment has none. */
function describeCapture(transaction: Transaction): readonly Step[] {
  const { status, captures, refunds, currency } = transaction
  const returned = returnedMoney(transaction)
  const back = addAmounts(refunds)
  const sum = (amount: Hundredths) => formatMoney(formatAmount(amount), currency)
  const refund: readonly Step[] = returned ? [[returned.name, 'good', sum(back)]] : []
  if (isCaptureFailed(transaction)) return [['Capture failed', 'bad', nameError(transaction)]]
  if (status === 'capture pending') return [['Capture', 'waiting', 'not yet']]
  if (isDeclined(transaction)) return []
  if (status !== 'approved') return returned ? refund : [['Capture', '', 'not yet']]
  const captured = addAmounts(captures)
  return [['Captured', 'good', captured > 0 ? sum(captured) : 'at once'], ...refund]
}

/** Describes the step of 3-D Secure; a payment without it has no such step. */
function describeAuthentication(transaction: Transaction): readonly Step[] {
  if (transaction.status === '3ds pending')
    return [['Authentication', 'waiting', 'waits for the payer']]
  const result = findThreeDSecure(transaction)
  if (!result) return []
  const how = result.flow === 'challenge' ? 'challenge' : 'frictionless'
  return ['Y', 'A'].includes(String(result.trans_status))
    ? [['Authenticated', 'good', how]]
    : [['Not authenticated', 'bad', how]]
}

/** Describes the refunds of a payment, or its released reservation; null without refunds. */
export function returnedMoney({
  amount,
  currency,
  status,
  refunds,
}: Pick<Transaction, 'amount' | 'currency' | 'status' | 'refunds'>): {
  readonly name: string
  readonly sentence: string
} | null {
  if (refunds.length === 0) return null
  if (status === 'authorized')
    return { name: 'Released', sentence: 'The reservation is released. No money was taken.' }
  const refunded = addAmounts(refunds)
  return refunded >= (readAmountFilter(amount) ?? 0)
    ? { name: 'Refunded', sentence: 'Refunded in full.' }
    : {
        name: 'Partly refunded',
        sentence: `Refunded ${presentAmount(formatAmount(refunded))} of ${formatMoney(amount, currency)}.`,
      }
}

/** Explains a declined or failed payment: the reason, and who can try again. */
export async function declineBox(
  transaction: Transaction,
  visit: MerchantVisit,
): Promise<SafeHtml | null> {
  const { id, status, error } = transaction
  if (!error) return null
  const result = isCaptureFailed(transaction)
    ? 'The bank declined the capture. No money was taken, and the reservation is released.'
    : status === 'declined'
      ? 'Declined by the bank.'
      : 'The payment failed.'
  const isRepeated = status === 'declined' && error.name === 'errors.payment.declined'
  const filter = { merchantId: visit.merchant.id, transactionId: id, error: error.name }
  const [request] = await findRequests(visit.db, filter, 1)
  return html`<div class="callout bad"><p><b>${result}</b>
${isRepeated ? null : `${error.description}.`} ${request?.explain ?? explainExpiry(transaction)}</p>
<p class="quiet">Error <a href="${findDocs(visit.root)}/errors/${error.code}">${error.code}</a>, <code>${error.name}</code>.
${await describeNextAttempt(transaction, visit)}</p></div>`
}

/** Explains a declined subscription charge whose card has an expiry of the test mode. */
function explainExpiry({ transaction_type, card_expiry, error }: Transaction): string | null {
  const decline = DECLINED_EXPIRIES.get(card_expiry ?? '')
  return transaction_type === 'recurring' && decline?.error === error?.name
    ? (decline?.explain ?? null)
    : null
}

/** Describes who can pay a declined payment again, and when. */
async function describeNextAttempt(
  { status, error, transaction_type, subscription }: Transaction,
  { db, merchant, home }: MerchantVisit,
): Promise<SafeHtml | string | null> {
  if (transaction_type === 'recurring') {
    const row = await findRow(db, 'subscriptions', merchant.id, subscription?.id)
    if (!row) return null
    const name = html`<a href="${home}/subscriptions/${row.id}">subscription ${row.id}</a>`
    return row.status === 'active'
      ? html`The next ${row.attempts > 0 ? 'attempt to charge' : 'charge of'} ${name}
is on ${formatDay(row.next_at)}${row.attempts > 0 ? ' (dunning)' : null}.`
      : html`The gateway does not charge ${name} again: it is cancelled.`
  }
  const isTooLate = error?.name === 'errors.transaction.timeout'
  if (!STATES[status].payable || isTooLate) return null
  return error?.name === 'errors.card.expired'
    ? 'The payer can try again, with another card.'
    : 'The payer can try again, with this card or another.'
}
