import { durationText } from '../../../domain/duration-text.ts'
import { entryByName } from '../../../domain/errors/errors.ts'
import { FAULTS, isTimed } from '../../../domain/fault-kinds.ts'
import type { NextOutcome } from '../../../storage/next-outcomes.ts'
import {
  type DeliveryState,
  failedCaptures,
  failedTargets,
  type PaymentHead,
  unpaidSubscriptions,
} from '../../../storage/overview.ts'
import { listPaymentLinks } from '../../../storage/payment-links.ts'
import { type ErrorGroup, failedLogins } from '../../../storage/requests.ts'
import type { FaultRow } from '../../../storage/tables/faults.ts'
import { isFailed } from '../../../storage/tables/webhook-deliveries.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { requestsOf } from '../controls/faults.ts'
import { countOf } from '../parts/cells.ts'
import { findSwitchedOn } from '../parts/menu-state.ts'
import { groupQuery } from '../requests/errors.ts'
import { findFindingsOf } from '../requests/findings.ts'
import { callOf } from '../requests/requests.ts'
import type { MerchantVisit } from '../visit.ts'

/** A warning of the overview, with a link to its list. */
export interface Attention {
  readonly tone: 'bad' | 'waiting' | 'off'
  readonly text: string
  readonly to: string
}

/** Data that the overview has read. */
interface OverviewRows {
  readonly payments: readonly PaymentHead[]
  readonly deliveries: readonly DeliveryState[]
  readonly errors: readonly ErrorGroup[]
}

/** Maximum rows of each kind in the list; the newest are shown. */
const MOST = { targets: 3, captures: 2, subscriptions: 2, links: 2 } as const

/** Number of payment links that are examined. */
const NEWEST_LINKS = 10

/** Lists everything that needs attention, the most urgent first. */
export async function findAttention(
  visit: MerchantVisit,
  { payments, deliveries, errors }: OverviewRows,
): Promise<readonly Attention[]> {
  const { home, merchant, dependencies } = visit
  const { db } = dependencies.database
  const { now } = exchangeOf(visit.response)
  const captures = await failedCaptures(db, merchant.id, payments, MOST.captures)
  const subscriptions = await unpaidSubscriptions(db, merchant.id, MOST.subscriptions)
  const links = await listPaymentLinks(db, merchant.id, { limit: NEWEST_LINKS, offset: 0 })
  const findings = await findFindingsOf(visit)
  const logins = await failedLogins(db, merchant.id)
  const failed = deliveries.filter(isFailed)
  const reserved = payments.filter(({ status }) => status === 'authorized').length
  const atBank = payments.filter(({ status }) => status === '3ds pending').length
  return [
    ...(failed.length > 0 ? failuresOf(await failedTargets(db, merchant.id), home) : []),
    ...retriesOf(deliveries, home, now),
    ...captures.map(({ id }) => ({
      tone: 'bad' as const,
      text: `The capture of transaction ${id} failed`,
      to: `${home}/transactions/${id}`,
    })),
    ...subscriptions.map(({ id, retry_count }) => ({
      tone: 'bad' as const,
      text: `Subscription ${id} is unpaid: ${countOf(retry_count, 'charge')} failed`,
      to: `${home}/subscriptions/${id}`,
    })),
    ...(logins.length > 0
      ? [
          {
            tone: 'bad' as const,
            text: `${countOf(logins.length, 'login')} with the id of this merchant failed`,
            to: `${home}/errors#logins`,
          },
        ]
      : []),
    ...(await interventionsOf(visit)),
    ...findings.map(({ name, title, proofs }) => ({
      tone: 'waiting' as const,
      text: `${title} (${proofs.length})`,
      to: `${home}/findings#${name}`,
    })),
    ...links
      .filter(({ expires_at, closed_at }) => closed_at === null && (expires_at ?? now + 1) <= now)
      .slice(0, MOST.links)
      .map(({ id }) => ({
        tone: 'off' as const,
        text: `Payment link ${id} has expired`,
        to: `${home}/payment_links/${id}`,
      })),
    ...rejectionsOf(errors, home),
    ...listOf(reserved, 'to capture', `${home}/transactions?filter[status]=authorized`),
    ...listOf(
      atBank,
      'at the bank for 3-D Secure',
      `${home}/transactions?filter[status]=3ds+pending`,
    ),
  ]
}

/** Lists what tests have changed and not changed back: faults, forced outcomes, held webhooks. */
async function interventionsOf({
  home,
  merchant,
  dependencies,
}: MerchantVisit): Promise<readonly Attention[]> {
  const { faults, payments, captures, holdsWebhooks } = await findSwitchedOn(dependencies, merchant)
  const warning = (text: string, path: string) => ({
    tone: 'waiting' as const,
    text,
    to: `${home}/${path}`,
  })
  return [
    ...faults.map((fault) => warning(faultText(fault), 'faults')),
    ...(payments.length > 0 ? [warning(forced(payments, 'payment'), 'next')] : []),
    ...(captures.length > 0 ? [warning(forced(captures, 'capture'), 'next_captures')] : []),
    ...(holdsWebhooks
      ? [
          warning(
            'Webhooks are held until you release them with /_control/webhooks/release',
            'webhooks?status=pending',
          ),
        ]
      : []),
  ]
}

/** Names the first of the forced outcomes, and the number of calls that all of them affect. */
function forced(outcomes: readonly NextOutcome[], operation: string): string {
  const times = outcomes.reduce((sum, each) => sum + each.times, 0)
  return `The bank’s answer to the next ${times === 1 ? operation : `${times} ${operation}s`} is forced: ${outcomes[0]?.outcome}`
}

const listOf = (count: number, what: string, to: string): readonly Attention[] =>
  count === 0 ? [] : [{ tone: 'off', text: `${countOf(count, 'payment')} ${what}`, to }]

/** Describes failed deliveries, one line for each host that they were sent to. */
function failuresOf(
  failed: Awaited<ReturnType<typeof failedTargets>>,
  home: string,
): readonly Attention[] {
  const byHost = Map.groupBy(failed, ({ url }) => (url === null ? null : URL.parse(url)?.host))
  const lines = [...byHost].map(([host, [newest, ...others]]) => ({
    tone: 'bad' as const,
    text: `${countOf(others.length + 1, host === null ? 'mail' : 'webhook')}${host ? ` to ${host}` : ''} failed permanently`,
    to: `${home}/webhooks${others.length === 0 ? `/${newest?.id}` : '?status=failed'}`,
  }))
  return lines.slice(0, MOST.targets)
}

/** Describes rejected requests in one line: their only error, or the most frequent. */
function rejectionsOf(errors: readonly ErrorGroup[], home: string): readonly Attention[] {
  const [most, other] = errors
  if (most === undefined) return []
  const error = `${entryByName(most.error)?.code ?? ''}, ${most.error}`
  const sum = errors.reduce((total, { count }) => total + count, 0)
  return [
    {
      tone: 'waiting',
      text: other
        ? `${countOf(sum, 'request')} rejected, most often error ${error} (${most.count})`
        : `Error ${error}, at ${callOf(most.newest)} (${most.count})`,
      to: other ? `${home}/errors` : `${home}/requests?${groupQuery(most)}`,
    },
  ]
}

/** Describes the webhooks that are being retried, with the age of the oldest. */
function retriesOf(
  deliveries: readonly DeliveryState[],
  home: string,
  now: number,
): readonly Attention[] {
  const retried = deliveries.filter(({ status, attempts }) => status === 'pending' && attempts > 0)
  if (retried.length === 0) return []
  const oldest = Math.max(0, now - Math.min(...retried.map(({ created_at }) => created_at)))
  const text = `${countOf(retried.length, 'webhook')} failed and will be retried, the oldest for ${durationText(oldest)}`
  return [{ tone: 'bad', text, to: `${home}/webhooks?status=pending` }]
}

function faultText(fault: FaultRow): string {
  const { kind, milliseconds, struck } = fault
  const delay = isTimed(kind) ? `, ${milliseconds} ms` : ''
  return `Injected fault for ${requestsOf(fault)}: ${FAULTS[kind].description}${delay} (${countOf(struck, 'request')} affected)`
}
