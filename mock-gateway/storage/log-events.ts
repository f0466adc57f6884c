import { sql } from 'kysely'
import { insertRows, updateRow } from './rows.ts'
import type { LogEventRow, NewLogEventRow } from './tables/payment-parts.ts'
import { CODECS, type Queries } from './tables/schema.ts'

export async function insertLogEvents(
  queries: Queries,
  rows: readonly NewLogEventRow[],
): Promise<LogEventRow[]> {
  const ids = await insertRows(queries, 'log_events', rows)
  return rows.map((row, index) => ({ ...row, id: ids[index] as number }))
}

/** Writes a row to its old place, and deletes the transaction's other rows up to the id `next`. */
export async function putFold(
  queries: Queries,
  { id, transaction_id, data }: LogEventRow,
  next: number,
): Promise<void> {
  await updateRow(queries, 'log_events', id, { data })
  await queries
    .deleteFrom('log_events')
    .where('transaction_id', '=', transaction_id)
    .where('id', '>', id)
    .where('id', '<', next)
    .execute()
}

/** The latest failures of a merchant's page template, newest first; a payment has each but once. */
export async function findTemplateFailures(
  queries: Queries,
  merchantId: number,
  templateId: number,
): Promise<LogEventRow[]> {
  const rows = await queries
    .selectFrom('log_events')
    .innerJoin('transactions', 'transactions.id', 'log_events.transaction_id')
    .selectAll('log_events')
    .where('transactions.merchant_id', '=', merchantId)
    .where('transactions.template_id', '=', templateId)
    .where('log_events.data', 'like', '{"event":"template_failed"%')
    .orderBy('log_events.id', 'desc')
    .limit(sql.lit(20))
    .execute()
  return rows.map(CODECS.log_events.decode)
}
