import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import type { ClockMoveRow } from '../../storage/tables/clocks.ts'
import type { MailRow } from '../../storage/tables/notifications.ts'
import type { LogEventRow, ReturnFailureRow } from '../../storage/tables/payment-parts.ts'
import { type RequestRow, readContents } from '../../storage/tables/requests.ts'
import type { WebhookAttemptRow } from '../../storage/tables/webhook-attempts.ts'
import type { FullDelivery } from '../../storage/tables/webhook-deliveries.ts'
import type { TransactionRecord } from '../../storage/transaction-parts.ts'
import { describeSeenDeliveries, describeSeenRequest } from '../findings/evidence.ts'
import { findFindings } from '../findings/findings.ts'
import { presentAmount } from '../transaction.ts'
import type { Party, StoryEntry } from './entries.ts'
import { createStatusEntry } from './events.ts'
import { findFailed, listNextSteps } from './next-steps.ts'
import {
  createAuthenticationEntries,
  createDeliveryEntries,
  createMailEntry,
  moveEntry,
  requestEntry,
} from './row-entries.ts'

/** All rows about one payment. */
export interface StoryRows {
  readonly record: TransactionRecord
  /** Requests that changed it or showed its page. */
  readonly requests: readonly RequestRow[]
  /** Changes of the merchant's clock and of the common one, since the payment was created. */
  readonly moves: readonly ClockMoveRow[]
  readonly authentications: readonly AuthenticationRow[]
  readonly deliveries: readonly FullDelivery[]
  readonly attempts: readonly WebhookAttemptRow[]
  readonly mails: readonly MailRow[]
  readonly returnFailures: readonly ReturnFailureRow[]
}

/** History of one payment. */
export interface Story {
  readonly id: number
  readonly payment_ref: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  /** Names of the participants, empty if they are unknown. */
  readonly names: Readonly<Record<Exclude<Party, 'receiver'>, string>>
  /** Possible next steps, in sentences. */
  readonly next: readonly string[]
  /** Warnings, in sentences. */
  readonly findings: readonly string[]
  /** The oldest first. */
  readonly entries: readonly StoryEntry[]
}

/** Builds a story from rows. Show it only after `cleanStory`. */
export function createStory(rows: StoryRows): Story {
  const { row } = rows.record
  const entries = placeEntries(rows)
  const last = Math.max(...entries.map(({ entry }) => entry.at))
  // Clock changes after the last event do not belong to the payment.
  const moves = rows.moves
    .toReversed()
    .map((move) => ({ entry: moveEntry(move), place: 0 }))
    .filter(({ entry }) => entry.at <= last)
  return {
    id: row.id,
    payment_ref: row.payment_ref,
    amount: presentAmount(row),
    currency: row.currency.toUpperCase(),
    status: row.status,
    names: {
      payer: row.card_holder ?? '',
      shop:
        URL.parse(rows.deliveries.find(({ url }) => url)?.url ?? row.success_url ?? '')?.host ?? '',
      gateway: `merchant ${row.merchant_id}`,
      bank: 'simulated',
    },
    next: listNextSteps(rows.record, findFailed(rows.deliveries)),
    findings: listFindings(rows),
    entries: [...entries, ...moves]
      .sort((one, other) => one.entry.at - other.entry.at || one.place - other.place)
      .map(({ entry }) => entry),
  }
}

/** Lists the findings of this payment, each with its first occurrence. */
const listFindings = ({
  requests,
  deliveries,
  attempts,
  returnFailures,
}: StoryRows): readonly string[] =>
  findFindings({
    requests: requests.flatMap(describeSeenRequest),
    deliveries: describeSeenDeliveries(deliveries, attempts),
    returnFailures,
  }).map(({ title, mend, proofs }) => `${title}. ${proofs[0]?.says} ${mend}`)

/**
 * An entry with its position among entries of the same time: while a clock is frozen, all have the
 * same time.
 */
interface PlacedEntry {
  readonly entry: StoryEntry
  readonly place: number
}

/** Places each effect after its request, and entries without a request after earlier ones. */
function placeEntries({
  record: { row, parts },
  requests,
  authentications,
  deliveries,
  attempts,
  mails,
}: StoryRows): PlacedEntry[] {
  const reasons = parts.refunds.map(({ reason }) => reason)
  const left = [...parts.logEvents]
  const placed: PlacedEntry[] = []
  const add = (entry: StoryEntry) => placed.push({ entry, place: placed.length + 1 })
  const createEventEntry = (event: LogEventRow, explain: string | null) =>
    createStatusEntry(
      event,
      (event.data.event === 'refunded' ? reasons.shift() : undefined) ?? explain,
      row.currency,
    )
  for (const request of requests.toSorted((one, other) => one.id - other.id)) {
    add(requestEntry(request))
    for (const name of readContents(request).events) {
      const at = left.findIndex(
        ({ created_at, data }) => created_at === request.created_at && data.event === name,
      )
      for (const event of at < 0 ? [] : left.splice(at, 1))
        add(createEventEntry(event, request.explain))
    }
  }
  for (const event of left) placed.push({ entry: createEventEntry(event, null), place: 0 })
  const rankEntry = ({ at, kind }: StoryEntry): number => {
    // 3-D Secure runs before the gateway logs its result.
    const log =
      kind === '3-D Secure' &&
      placed.find(({ entry }) => entry.kind === '3-D Secure' && entry.at === at)
    return log
      ? log.place - 0.5
      : (placed.findLast(({ entry }) => entry.at <= at && entry.kind !== 'webhook')?.place ?? 0)
  }
  const others = [
    ...authentications.flatMap(createAuthenticationEntries),
    ...deliveries
      .toSorted((one, other) => one.id - other.id)
      .flatMap((each) => createDeliveryEntries(each, attempts)),
    ...mails.map(createMailEntry),
  ]
  return [...placed, ...others.map((entry) => ({ entry, place: rankEntry(entry) }))]
}
