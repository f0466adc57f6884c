import { DECLINED_EXPIRIES } from '../../../acquirer/test-mode.ts'
import type { Transaction } from '../../../contract/wire.ts'
import { STATES } from '../../../domain/order/states.ts'
import { wireTime } from '../../../serializers/time.ts'
import { findRequests } from '../../../storage/requests.ts'
import { findRow } from '../../../storage/rows.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { type MerchantVisit, ownRow } from '../visit.ts'

const FAILED_CAPTURE =
  'The bank declined the capture. No money was taken, and the reservation is released.'

/** Explains a declined or failed payment: the reason, and who can try again. */
export async function declineBox(
  transaction: Transaction,
  visit: MerchantVisit,
): Promise<SafeHtml | null> {
  const { status, error } = transaction
  if (!error) return null
  const docs = `${visit.root.replace(/\/console$/, '')}/docs/errors/${error.code}`
  const isCapture =
    status === 'failed' && (await ownRow(visit, 'transactions')).org_auth_amount !== null
  const result = isCapture
    ? FAILED_CAPTURE
    : status === 'declined'
      ? 'Declined by the bank.'
      : 'The payment failed.'
  const isRepeated = status === 'declined' && error.name === 'errors.payment.declined'
  const requests = await findRequests(
    visit.dependencies.database.db,
    { merchantId: visit.merchant.id, transactionId: transaction.id, error: error.name },
    1,
  )
  return html`<div class="callout bad"><p><b>${result}</b>
${isRepeated ? null : `${error.description}.`} ${requests[0]?.explain ?? explainExpiry(transaction)}</p>
<p class="quiet">Error <a href="${docs}">${error.code}</a>, <code>${error.name}</code>.
${await nextAttempt(transaction, visit)}</p></div>`
}

/** Explains a declined subscription charge whose card has an expiry of the test mode. */
function explainExpiry({ transaction_type, card_expiry, error }: Transaction): string | null {
  const decline = DECLINED_EXPIRIES.get(card_expiry ?? '')
  return transaction_type === 'recurring' && decline?.error === error?.name
    ? (decline?.explain ?? null)
    : null
}

/** Describes who can pay a declined payment again, and when. */
async function nextAttempt(
  { status, error, transaction_type, subscription }: Transaction,
  { dependencies, merchant, home }: MerchantVisit,
): Promise<SafeHtml | string | null> {
  if (transaction_type === 'recurring') {
    const { db } = dependencies.database
    const row = await findRow(db, 'subscriptions', merchant.id, subscription?.id)
    if (!row) return null
    const name = html`<a href="${home}/subscriptions/${row.id}">subscription ${row.id}</a>`
    return row.status === 'active'
      ? html`The next ${row.attempts > 0 ? 'attempt to charge' : 'charge of'} ${name}
is on ${wireTime(row.next_at).slice(0, 10)}${row.attempts > 0 ? ' (dunning)' : null}.`
      : html`The gateway does not charge ${name} again: it is cancelled.`
  }
  if (!STATES[status].payable) return null
  return error?.name === 'errors.card.expired'
    ? 'The payer can try again, with another card.'
    : 'The payer can try again, with this card or another.'
}
