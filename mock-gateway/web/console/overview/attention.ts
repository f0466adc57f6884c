import { findEntryByName, getEntryByKey } from '../../../domain/errors/errors.ts'
import {
  findFailedCaptures,
  findFailingDeliveries,
  findUnpaidSubscriptions,
  type PaymentCount,
} from '../../../storage/overview.ts'
import { type ErrorGroup, findFailedLogins } from '../../../storage/requests.ts'
import { findOne } from '../../../storage/rows.ts'
import { isFailed } from '../../../storage/tables/webhook-deliveries.ts'
import { findNamedPayments } from '../../../storage/transactions.ts'
import { findLastAttempts } from '../../../storage/webhook-attempts.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import { formatCount, formatDescription } from '../parts/cells.ts'
import { switchedOnNotes } from '../parts/menu.ts'
import { findMerchantFindings } from '../requests/findings.ts'
import { formatCall, shortenReason } from '../requests/requests.ts'
import type { MerchantVisit } from '../visit.ts'
import { findFailure, findShopError, shortAnswer } from '../webhooks/attempts.ts'

/** A cause that needs attention, and the button that does something about it. */
type Cause = readonly [title: string, why: SafeHtml | string, to: string, button: string]

interface OverviewRows {
  readonly payments: readonly PaymentCount[]
  readonly errors: readonly ErrorGroup[]
}

/** Maximum rows of each kind in the list; the newest are shown. */
const MOST = 2

/** Rows of the list that are not folded. */
const SHOWN = 4

/** Lists everything that needs attention, one row for each cause, the most urgent first. */
export async function renderAttention(visit: MerchantVisit, read: OverviewRows): Promise<SafeHtml> {
  const rows = [
    ...(await findFailing(visit, read)).map((cause) => renderCause(visit.home, 'bad', cause)),
    ...(await findWaiting(visit, read)).map((cause) => renderCause(visit.home, 'waiting', cause)),
  ]
  const more = rows.slice(SHOWN)
  return rows.length > 0
    ? html`<ul class="rows">${rows.slice(0, SHOWN)}</ul>
${more.length > 0 ? html`<details><summary>${more.length} more</summary><ul class="rows">${more}</ul></details>` : null}`
    : html`<p class="quiet"><span class="is good">Nothing.</span>
All webhooks were delivered, and no request was rejected.</p>`
}

const renderCause = (
  home: string,
  tone: 'bad' | 'waiting',
  [title, why, to, button]: Cause,
) => html`
<li><span class="is ${tone}"><span class="unseen">${tone === 'bad' ? 'Failing' : 'Waiting'}</span></span>
<p><a href="${home}/${to}">${title}</a><span class="quiet">${why}</span></p>
<a class="button small" href="${home}/${to}" aria-label="${button}: ${title}">${button}</a></li>`

const ifAny = (count: number, ...cause: Cause): readonly Cause[] => (count > 0 ? [cause] : [])

async function findFailing(
  visit: MerchantVisit,
  { payments, errors }: OverviewRows,
): Promise<readonly Cause[]> {
  const { db, merchant } = visit
  const failed = payments.filter(({ status }) => status === 'failed')
  const oldestFailed = Math.min(...failed.map(({ oldest }) => oldest))
  const captures =
    failed.length > 0 ? await findFailedCaptures(db, merchant.id, oldestFailed, MOST) : []
  const logins = await findFailedLogins(db, merchant.id)
  return [
    ...(await findFailedDeliveries(visit)),
    ...captures.map(({ id }): Cause => {
      const why = 'The reservation is released: no money was taken.'
      return [`The capture of transaction ${id} failed`, why, `transactions/${id}`, 'See why']
    }),
    ...(await findUnpaid(visit)),
    ...describeRejections(errors),
    ...ifAny(
      logins.length,
      `${formatCount(logins.length, 'login')} with the id of this merchant failed`,
      logins[0]?.explain ?? '',
      'errors#logins',
      'See the logins',
    ),
  ]
}

async function findWaiting(
  visit: MerchantVisit,
  { payments }: OverviewRows,
): Promise<readonly Cause[]> {
  const findings = await findMerchantFindings(visit)
  const on = await switchedOnNotes(visit.dependencies, visit.merchant)
  const [reserved = 0, atBank = 0] = ['authorized', '3ds pending'].map((status) =>
    payments.reduce((sum, each) => sum + (each.status === status ? each.count : 0), 0),
  )
  return [
    ...findings.map(({ name, title, mend, proofs }): Cause => {
      return [`${title} (${proofs.length})`, mend, `findings#${name}`, 'See where']
    }),
    ...ifAny(
      on.length,
      `Switched on for tests: ${on.join(', ')}`,
      'They explain results that you do not expect.',
      'controls',
      'Back to normal',
    ),
    ...ifAny(
      reserved,
      `${formatCount(reserved, 'payment')} to capture`,
      'The money is reserved until you capture it or the reservation expires.',
      'transactions?filter[status]=authorized',
      'Capture',
    ),
    ...ifAny(
      atBank,
      `${formatCount(atBank, 'payment')} at the bank for 3-D Secure`,
      'You can answer for the payer on the page of the payment.',
      'transactions?filter[status]=3ds+pending',
      'Answer for the payer',
    ),
  ]
}

function nameError({ error }: ErrorGroup): string {
  const { en = error, code } = findEntryByName(error) ?? {}
  return code ? formatDescription(en, code) : en
}

function describeRejections(errors: readonly ErrorGroup[]): readonly Cause[] {
  // A row that counts only one other error would save no space.
  const most = errors.length === MOST + 1 ? errors.length : MOST
  const causes = errors.slice(0, most).map((group): Cause => {
    const { error, count, newest } = group
    const were = `${formatCount(count, 'request')} ${count === 1 ? 'was' : 'were'} rejected`
    const call = `${formatCall(newest)}. ${shortenReason(newest.explain ?? '')}`
    const button = error.startsWith('errors.hash.') ? 'Check the hash' : 'See the request'
    return [`${were}: ${nameError(group)}`, call, `requests/${newest.request_id}`, button]
  })
  const others = errors.slice(most)
  return [
    ...causes,
    ...ifAny(
      others.length,
      `Requests were rejected with ${others.length} other errors`,
      others.map(nameError).join(', '),
      'errors',
      'See the errors',
    ),
  ]
}

/** Describes unpaid subscriptions with the error of the last charge and the date of the next. */
async function findUnpaid({ merchant, db }: MerchantVisit): Promise<readonly Cause[]> {
  const found = await findUnpaidSubscriptions(db, merchant.id, MOST)
  return Promise.all(
    found.map(async ({ id, retry_count, next_at }): Promise<Cause> => {
      const charges = { merchant_id: merchant.id, subscription_id: id }
      const last = await findOne(db, 'transactions', charges, { newestFirst: true })
      const entry = last?.error_name && getEntryByKey(last.error_name)
      const cause = entry ? `${formatDescription(entry.en, entry.code)}. ` : ''
      const day = formatDay(next_at)
      const why = `${cause}${formatCount(retry_count, 'charge')} failed, and the next is on ${day}.`
      return [`Subscription ${id} is unpaid`, why, `subscriptions/${id}`, 'See the next charge']
    }),
  )
}

/**
 * Describes failed deliveries, one row for each address and result, with the order and the error of
 * the newest.
 */
async function findFailedDeliveries({ merchant, db }: MerchantVisit): Promise<readonly Cause[]> {
  const failing = await findFailingDeliveries(db, merchant.id)
  const permanentFirst = failing.toSorted(
    (one, other) => Number(isFailed(other)) - Number(isFailed(one)),
  )
  const byAddress = Map.groupBy(
    permanentFirst,
    (row) => `${isFailed(row)} ${row.url?.replace(/\?.*/s, '')}`,
  )
  const groups = [...byAddress.values()].slice(0, 2 * MOST)
  const newest = groups.flatMap(([first]) => first ?? [])
  const attempts = await findLastAttempts(
    db,
    newest.map(({ id }) => id),
  )
  const orders = await findNamedPayments(
    db,
    newest.flatMap((row) => row.transaction_id ?? []),
  )
  return newest.map((row, at): Cause => {
    const { id, url, transaction_id } = row
    const last = attempts.find(({ delivery_id }) => delivery_id === id)
    const quoted = findShopError(String(last?.response.body ?? ''))
    const order = orders.get(transaction_id ?? 0)?.payment_ref
    const count = formatCount(groups[at]?.length ?? 0, url === null ? 'mail' : 'webhook')
    const what = `${count}${url === null ? '' : ` to ${URL.parse(url)?.host}`} failed`
    const why = html`${order && `Order ${order}: `}${
      last && quoted
        ? html`${shortAnswer(last, url)}, <code>${quoted}</code>`
        : last && findFailure(last, url)
    }`
    const then = isFailed(row) ? 'permanently' : 'and will be retried'
    return [`${what} ${then}`, why, `webhooks/${id}`, 'See the error']
  })
}
