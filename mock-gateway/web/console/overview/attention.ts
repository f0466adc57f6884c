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

/** One cause that needs attention, with what to do about it. */
export interface Attention {
  readonly tone: 'bad' | 'waiting'
  readonly title: string
  readonly why: SafeHtml | string
  /** Below the pages of the merchant. */
  readonly to: string
  readonly button: string
}

/** Data that the overview has read. */
interface OverviewRows {
  readonly payments: readonly PaymentCount[]
  readonly deliveries: DeliveryCounts
  readonly errors: readonly ErrorGroup[]
}

/** Maximum rows of each kind in the list; the newest are shown. */
const MOST = 2

/** Lists everything that needs attention, one row for each cause, the most urgent first. */
export async function findAttention(
  visit: MerchantVisit,
  { payments, deliveries, errors }: OverviewRows,
): Promise<readonly Attention[]> {
  const { merchant, dependencies } = visit
  const { db } = dependencies.database
  const { now } = getExchange(visit.response)
  const failed = payments.filter(({ status }) => status === 'failed')
  const oldestFailed = Math.min(...failed.map(({ oldest }) => oldest))
  const captures =
    failed.length > 0 ? await findFailedCaptures(db, merchant.id, oldestFailed, MOST) : []
  const subscriptions = await findUnpaidSubscriptions(db, merchant.id, MOST)
  const findings = await findMerchantFindings(visit)
  const logins = await findFailedLogins(db, merchant.id)
  const waits = (status: string) =>
    payments.reduce((sum, each) => sum + (each.status === status ? each.count : 0), 0)
  const [reserved, atBank] = [waits('authorized'), waits('3ds pending')]
  const { retried, oldest } = deliveries
  const on = await switchedOnNotes(dependencies, merchant)
  const bad: readonly (Cause | null)[] = [
    ...(await findFailures(visit)),
    retried === 0
      ? null
      : [
          `${formatCount(retried, 'webhook')} failed and will be retried`,
          `The oldest waits for ${formatDuration(Math.max(0, now - oldest))}.`,
          'webhooks?status=pending',
          'See them',
        ],
    ...captures.map(
      ({ id }): Cause => [
        `The capture of transaction ${id} failed`,
        'The reservation is released: no money was taken.',
        `transactions/${id}`,
        'See why',
      ],
    ),
    ...subscriptions.map(
      ({ id, retry_count }): Cause => [
        `Subscription ${id} is unpaid`,
        `${formatCount(retry_count, 'charge')} failed. Its page has the date of the next attempt.`,
        `subscriptions/${id}`,
        'See the next charge',
      ],
    ),
    ...errors.slice(0, MOST).map(describeErrors),
    errors.length <= MOST
      ? null
      : [
          `${errors.length - MOST} other kinds of requests were rejected`,
          'Each has its reason and its fix.',
          'errors',
          'See them',
        ],
    logins.length === 0
      ? null
      : [
          `${formatCount(logins.length, 'login')} with the id of this merchant failed`,
          logins[0]?.explain ?? '',
          'errors#logins',
          'See why',
        ],
  ]
  const waiting: readonly (Cause | null)[] = [
    ...findings.map(
      ({ name, title, mend, proofs }): Cause => [
        `${title} (${proofs.length})`,
        mend,
        `findings#${name}`,
        'See where',
      ],
    ),
    on.length === 0
      ? null
      : [
          `Switched on for tests: ${on.join(', ')}`,
          'They explain results that you do not expect.',
          'controls',
          'Back to normal',
        ],
    reserved === 0
      ? null
      : [
          `${formatCount(reserved, 'payment')} to capture`,
          'The money is reserved until you capture it or the reservation expires.',
          'transactions?filter[status]=authorized',
          'Capture',
        ],
    atBank === 0
      ? null
      : [
          `${formatCount(atBank, 'payment')} at the bank for 3-D Secure`,
          'You can answer for the payer on the page of the payment.',
          'transactions?filter[status]=3ds+pending',
          'See them',
        ],
  ]
  const withTone = (tone: Attention['tone'], causes: readonly (Cause | null)[]) =>
    causes
      .filter((cause) => cause !== null)
      .map(([title, why, to, button]) => ({ tone, title, why, to, button }))
  return [...withTone('bad', bad), ...withTone('waiting', waiting)]
}

/** A cause without its tone. */
type Cause = readonly [title: string, why: SafeHtml | string, to: string, button: string]

function describeErrors({ error, count, newest }: ErrorGroup): Cause {
  const entry = findEntryByName(error)
  return [
    `${formatCount(count, 'request')} ${count === 1 ? 'was' : 'were'} rejected: ${entry?.en ?? error}${entry ? ` (${entry.code})` : ''}`,
    `${formatCall(newest)}. ${shortenReason(newest.explain ?? '')}`,
    `requests/${newest.request_id}`,
    'See the newest',
  ]
}

/** Describes failed deliveries, one row for each host, with the error of its newest answer. */
async function findFailures({ merchant, dependencies }: MerchantVisit): Promise<readonly Cause[]> {
  const { db } = dependencies.database
  const failed = await findFailedTargets(db, merchant.id)
  const byHost = [...Map.groupBy(failed, ({ url }) => (url === null ? null : URL.parse(url)?.host))]
    .map(([host, [newest, ...others]]) => ({ host, newest, count: others.length + 1 }))
    .slice(0, MOST)
  const attempts = await findLastAttempts(
    db,
    byHost.flatMap(({ newest }) => newest?.id ?? []),
  )
  return byHost.map(({ host, newest, count }) => {
    const last = attempts.find(({ delivery_id }) => delivery_id === newest?.id)
    const quoted = findShopError(String(last?.response.body ?? ''))
    return [
      `${formatCount(count, host === null ? 'mail' : 'webhook')}${host ? ` to ${host}` : ''} failed permanently`,
      html`${last && findFailure(last, newest?.url ?? null)} ${quoted && html`<code>${quoted}</code>`}`,
      `webhooks/${newest?.id}`,
      'See the error',
    ]
  })
}
