import type { JsonObject } from '../domain/json.ts'
import { insertLogEvents, type LogEventRow } from '../storage/log-events.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { Work } from '../storage/work.ts'
import type { Happening } from './happenings.ts'

/**
 * Writes down what happened to a transaction, in the database transaction in which it happens: the one door to its log.
 * @returns the log events, in the order given
 */
export function record(
  { queries, now }: Work,
  { id }: TransactionRow,
  happenings: readonly Happening[],
): Promise<readonly LogEventRow[]> {
  const rows = happenings.map((happening) => ({
    transaction_id: id,
    event_type: 'payment',
    data: happening as JsonObject,
    created_at: now,
  }))
  return insertLogEvents(queries, rows)
}
