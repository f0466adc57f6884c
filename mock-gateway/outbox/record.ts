import type { JsonObject } from '../domain/json.ts'
import { insertLogEvents, putFold } from '../storage/log-events.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { type TransactionParts, type TransactionRecord, withItsParts } from '../storage/transaction-parts.ts'
import type { Work } from '../work/work.ts'
import { foldLog } from './folded-log.ts'
import { sendLater } from './outbox.ts'
import { EVENT_TYPES, type PaymentEvent } from './payment-events.ts'

/**
 * Writes down what happened to a transaction, in the database transaction in which it happens: the one door to its log
 * and to what its webhooks are sent. Done last, when the transaction is as it is to be seen.
 * @param known its parts, where they are known; otherwise they are read
 * @returns the transaction with its parts, the new log events among them
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
    : await withItsParts(queries, row)
  const kept = await bounded(work, whole)
  await sendLater(work, kept, events)
  const names = events.map(({ event }) => event)
  work.afterCommit(() => work.observer.onTransaction?.(row, names))
  return kept
}

async function bounded({ queries }: Work, record: TransactionRecord): Promise<TransactionRecord> {
  const folded = foldLog(record.parts.logEvents)
  if (!folded) return record
  await putFold(queries, folded.fold, folded.next.id)
  return { ...record, parts: { ...record.parts, logEvents: folded.events } }
}
