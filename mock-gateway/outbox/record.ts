import type { JsonObject } from '../domain/json.ts'
import { insertLogEvents, putFold } from '../storage/log-events.ts'
import type { LogEventRow } from '../storage/tables/payment-parts.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import {
  loadRecord,
  type TransactionParts,
  type TransactionRecord,
} from '../storage/transaction-parts.ts'
import type { Work } from '../work/work.ts'
import { enqueueWebhooks } from './outbox.ts'
import { EVENT_TYPES, type PaymentEvent } from './payment-events.ts'

/** A transaction after its events. */
export interface RecordedTransaction extends TransactionRecord {
  /** JSON text of its webhooks, if the API answers with the same. */
  readonly sent?: string | undefined
}

/**
 * Records events of a transaction: writes its log and its webhooks, in the database transaction of
 * the events. No other function does. Call it last, when the transaction has its final state.
 * @param known parts of the transaction; undefined if they have to be read
 * @returns the transaction with its parts, including the new log events
 */
export async function record(
  work: Work,
  row: TransactionRow,
  events: readonly PaymentEvent[],
  known?: TransactionParts,
): Promise<RecordedTransaction> {
  const { queries, now, actor } = work
  const logEvents = await insertLogEvents(
    queries,
    events.map((event) => ({
      transaction_id: row.id,
      event_type: EVENT_TYPES[event.event] ?? 'payment',
      data: { ...event, ...actor } as JsonObject,
      created_at: now,
    })),
  )
  const whole = known
    ? { row, parts: { ...known, logEvents: [...known.logEvents, ...logEvents] } }
    : await loadRecord(queries, row)
  const kept = await limitEvents(work, whole)
  const sent = await enqueueWebhooks(work, kept, events)
  const names = events.map(({ event }) => event)
  work.afterCommit(() => work.observer.onTransaction?.(row, names))
  // With earlier calls of its webhooks, the answer differs from their body.
  const isSame = kept.parts.webhooks.every(({ response }) => response === null)
  return { ...kept, ...(isSame && { sent }) }
}

async function limitEvents(
  { queries }: Work,
  record: TransactionRecord,
): Promise<TransactionRecord> {
  const folded = foldLog(record.parts.logEvents)
  if (!folded) return record
  await putFold(queries, folded.fold, folded.next.id)
  return { ...record, parts: { ...record.parts, logEvents: folded.events } }
}

/**
 * Highest number of log events of a transaction (decision 40). A payment with captures, refunds and
 * several attempts has a dozen. Without a limit, an open page or captures of 0.01 could fill the
 * database.
 */
export const MAX_LOG_EVENTS = 200

/** Number of events kept from the start of a log. The other kept events are the latest. */
const KEPT_AT_START = 100

/** Log without its middle. */
interface FoldedLog {
  readonly events: readonly LogEventRow[]
  /** Event that replaces the omitted ones, in the place of the first of them. */
  readonly fold: LogEventRow
  /** Event after `fold`. */
  readonly next: LogEventRow
}

/**
 * Omits the middle of a log that is too long, and counts all events that were omitted so far.
 * @param events oldest first
 * @returns undefined if the log is short enough
 */
export function foldLog(events: readonly LogEventRow[]): FoldedLog | undefined {
  if (events.length <= MAX_LOG_EVENTS) return undefined
  const last = events.slice(KEPT_AT_START + 1 - MAX_LOG_EVENTS)
  const middle = events.slice(KEPT_AT_START, -last.length)
  const count = middle.reduce(
    (sum, { data }) => sum + (data.event === 'left_out' ? Number(data.count) : 1),
    0,
  )
  const [first] = middle
  const [next] = last
  if (!first || !next) return undefined
  const fold = { ...first, data: { event: 'left_out', count } }
  return { events: [...events.slice(0, KEPT_AT_START), fold, ...last], fold, next }
}
