import type { JsonObject } from '../domain/json.ts'
import { insertLogEvents, putFold } from '../storage/log-events.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import {
  loadRecord,
  type TransactionParts,
  type TransactionRecord,
} from '../storage/transaction-parts.ts'
import type { Work } from '../work/work.ts'
import { foldLog } from './folded-log.ts'
import { enqueueWebhooks } from './outbox.ts'
import { EVENT_TYPES, type PaymentEvent } from './payment-events.ts'

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
): Promise<TransactionRecord> {
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
  await enqueueWebhooks(work, kept, events)
  const names = events.map(({ event }) => event)
  work.afterCommit(() => work.observer.onTransaction?.(row, names))
  return kept
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
