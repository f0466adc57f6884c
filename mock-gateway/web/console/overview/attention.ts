import { formatDuration } from '../../../domain/duration-text.ts'
import { findEntryByName } from '../../../domain/errors/errors.ts'
import {
  type DeliveryCounts,
  findFailedCaptures,
  findFailedTargets,
  findUnpaidSubscriptions,
  type PaymentCount,
} from '../../../storage/overview.ts'
import { type ErrorGroup, findFailedLogins } from '../../../storage/requests.ts'
import { findLastAttempts } from '../../../storage/webhook-attempts.ts'
import { getExchange } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { formatCount } from '../parts/cells.ts'
import { switchedOnNotes } from '../parts/menu.ts'
import { findMerchantFindings } from '../requests/findings.ts'
import { formatCall, shortenReason } from '../requests/requests.ts'
import type { MerchantVisit } from '../visit.ts'
import { findFailure, findShopError } from '../webhooks/attempts.ts'

/** A cause that needs attention, and the button that does something about it. */
type Cause = readonly [title: string, why: SafeHtml | string, to: string, button: string]

interface OverviewRows {
  readonly payments: readonly PaymentCount[]
  readonly deliveries: DeliveryCounts
  readonly errors: readonly ErrorGroup[]
}

/** Maximum rows of each kind in the list; the newest are shown. */
const MOST = 2

/** Lists everything that needs attention, one row for each cause, the most urgent first. */
export async function renderAttention(visit: MerchantVisit, read: OverviewRows): Promise<SafeHtml> {
  const rows = [
    ...(await findFailing(visit, read)).map((cause) => renderCause(visit.home, 'bad', cause)),
    ...(await findWaiting(visit, read)).map((cause) => renderCause(visit.home, 'waiting', cause)),
  ]
  return rows.length > 0
    ? html`<ul class="todo">${rows}</ul>`
    : html`<p class="quiet"><span class="is good">Nothing.</span>
All webhooks were delivered, and no request was rejected.</p>`
}

const renderCause = (
  home: string,
  tone: 'bad' | 'waiting',
  [title, why, to, button]: Cause,
) => html`
<li><span class="is ${tone}"><span class="unseen">${tone === 'bad' ? 'Failing' : 'Waiting'}</span></span>
<p><a href="${home}/${to}">${title}</a><br><span class="quiet">${why}</span></p>
<a class="button small" href="${home}/${to}" aria-label="${button}: ${title}">${button}</a></li>`

const ifAny = (count: number, ...cause: Cause): readonly Cause[] => (count > 0 ? [cause] : [])

async function findFailing(
  visit: MerchantVisit,
  { payments, deliveries, errors }: OverviewRows,
): Promise<readonly Cause[]> {
  const { db, merchant } = visit
  const failed = payments.filter(({ status }) => status === 'failed')
  const oldestFailed = Math.min(...failed.map(({ oldest }) => oldest))
  const captures =
    failed.length > 0 ? await findFailedCaptures(db, merchant.id, oldestFailed, MOST) : []
  const subscriptions = await findUnpaidSubscriptions(db, merchant.id, MOST)
  const logins = await findFailedLogins(db, merchant.id)
  const { retried, oldest } = deliveries
  const waits = formatDuration(Math.max(0, getExchange(visit.response).now - oldest))
  return [
    ...(await findFailedDeliveries(visit)),
    ...ifAny(
      retried,
      `${formatCount(retried, 'webhook')} failed and will be retried`,
      `The oldest waits for ${waits}.`,
      'webhooks?status=pending',
      'See them',
    ),
    ...captures.map(({ id }): Cause => {
      const why = 'The reservation is released: no money was taken.'
      return [`The capture of transaction ${id} failed`, why, `transactions/${id}`, 'See why']
    }),
    ...subscriptions.map(({ id, retry_count }): Cause => {
      const failed = `${formatCount(retry_count, 'charge')} failed.`
      const why = `${failed} Its page has the date of the next attempt.`
      return [`Subscription ${id} is unpaid`, why, `subscriptions/${id}`, 'See the next charge']
    }),
    ...describeRejections(errors),
    ...ifAny(
      logins.length,
      `${formatCount(logins.length, 'login')} with the id of this merchant failed`,
      logins[0]?.explain ?? '',
      'errors#logins',
      'See why',
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
      'See them',
    ),
  ]
}

const describeRejections = (errors: readonly ErrorGroup[]): readonly Cause[] => [
  ...errors.slice(0, MOST).map(({ error, count, newest }): Cause => {
    const { en = error, code } = findEntryByName(error) ?? {}
    const were = `${formatCount(count, 'request')} ${count === 1 ? 'was' : 'were'} rejected`
    const call = `${formatCall(newest)}. ${shortenReason(newest.explain ?? '')}`
    const title = `${were}: ${en}${code ? ` (${code})` : ''}`
    return [title, call, `requests/${newest.request_id}`, 'See the newest']
  }),
  ...ifAny(
    errors.length - MOST,
    `${errors.length - MOST} other kinds of requests were rejected`,
    'Each has its reason and its fix.',
    'errors',
    'See them',
  ),
]

/** Describes failed deliveries, one row for each host, with the error of its newest answer. */
async function findFailedDeliveries({ merchant, db }: MerchantVisit): Promise<readonly Cause[]> {
  const failed = await findFailedTargets(db, merchant.id)
  const byHost = [...Map.groupBy(failed, ({ url }) => url && URL.parse(url)?.host)].slice(0, MOST)
  const attempts = await findLastAttempts(
    db,
    byHost.flatMap(([, [newest]]) => newest?.id ?? []),
  )
  return byHost.map(([host, all]) => {
    const [newest] = all
    const last = attempts.find(({ delivery_id }) => delivery_id === newest?.id)
    const quoted = findShopError(String(last?.response.body ?? ''))
    return [
      `${formatCount(all.length, newest?.url === null ? 'mail' : 'webhook')}${host ? ` to ${host}` : ''} failed permanently`,
      html`${last && findFailure(last, newest?.url ?? null)} ${quoted && html`<code>${quoted}</code>`}`,
      `webhooks/${newest?.id}`,
      'See the error',
    ]
  })
}
