import type { JsonObject } from '../domain/json.ts'
import { insertLogEvents } from '../storage/log-events.ts'
import { type TransactionParts, type TransactionRecord, withItsParts } from '../storage/transaction-parts.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import { findFirstWebhooks, insertWebhooks } from '../storage/webhooks.ts'
import type { Work } from '../storage/work.ts'
import type { Happening } from './happenings.ts'
import { isRecurring, sendLater } from './outbox.ts'

/**
 * Writes down what happened to a transaction, in the database transaction in which it happens: the one door to its log
 * and to what its webhooks are sent. Done last, when the transaction is as it is to be seen.
 * @param known its parts, where they are known; otherwise they are read
 * @returns the transaction with its parts, the new log events among them
 */
export async function record(
  work: Work,
  row: TransactionRow,
  happenings: readonly Happening[],
  known?: TransactionParts,
): Promise<TransactionRecord> {
  const { queries, now } = work
  await inheritWebhooks(work, row, happenings)
  const logEvents = await insertLogEvents(
    queries,
    happenings.map((happening) => ({
      transaction_id: row.id,
      event_type: 'payment',
      data: happening as JsonObject,
      created_at: now,
    })),
  )
  const kept = known
    ? { row, parts: { ...known, logEvents: [...known.logEvents, ...logEvents] } }
    : await withItsParts(queries, row)
  await sendLater(work, kept, happenings)
  return kept
}

/** A subscription's charge has the webhooks for charges that the first payment brought. */
async function inheritWebhooks({ queries, now }: Work, row: TransactionRow, happenings: readonly Happening[]) {
  const isNew = happenings.some(({ event }) => event === 'created')
  if (!isNew || !isRecurring(row) || row.subscription_id === null) return
  const first = await findFirstWebhooks(queries, row.subscription_id, 'recurring_success')
  const fresh = { transaction_id: row.id, response: null, request_body: null, created_at: now }
  await insertWebhooks(
    queries,
    first.map(({ id: _id, ...webhook }) => ({ ...webhook, ...fresh })),
  )
}
