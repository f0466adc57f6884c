import { sql } from 'kysely'
import { prepared } from './prepared.ts'
import { byIds, decodeRows, type KeptRow } from './rows.ts'
import type { CaptureRow } from './tables/captures.ts'
import type { LogEventRow } from './tables/log-events.ts'
import type { RefundRow } from './tables/refunds.ts'
import type { Queries } from './tables/schema.ts'
import type { TransactionRow } from './tables/transactions.ts'
import type { WebhookRow } from './tables/webhooks.ts'

/** The rows that belong to one transaction, each list oldest first. */
export interface TransactionParts {
  readonly logEvents: readonly LogEventRow[]
  readonly captures: readonly CaptureRow[]
  readonly refunds: readonly RefundRow[]
  readonly webhooks: readonly WebhookRow[]
}

/** A transaction with the rows that belong to it. */
export interface TransactionRecord {
  readonly row: TransactionRow
  readonly parts: TransactionParts
}

export const NO_PARTS: TransactionParts = { logEvents: [], captures: [], refunds: [], webhooks: [] }

/**
 * These transactions with their parts, in the order given: one query a kind however many there are.
 * @param refunds false leaves them out, which one transaction may have by the thousand
 */
export async function withParts(
  queries: Queries,
  rows: readonly TransactionRow[],
  { refunds: wanted }: { readonly refunds: boolean } = { refunds: true },
): Promise<readonly TransactionRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  // One after the other: within a transaction they share a connection.
  const logEvents = await ofTransactions(queries, 'log_events', ids)
  const captures = await ofTransactions(queries, 'captures', ids)
  const refunds = wanted ? await ofTransactions(queries, 'refunds', ids) : []
  const webhooks = await ofTransactions(queries, 'webhooks', ids)
  const of = <Part extends { transaction_id: number }>(parts: readonly Part[], id: number) =>
    parts.filter((part) => part.transaction_id === id)
  return rows.map((row) => ({
    row,
    parts: {
      logEvents: of(logEvents, row.id),
      captures: of(captures, row.id),
      refunds: of(refunds, row.id),
      webhooks: of(webhooks, row.id),
    },
  }))
}

/** One transaction with its parts. */
export async function withItsParts(queries: Queries, row: TransactionRow): Promise<TransactionRecord> {
  const [record] = await withParts(queries, [row])
  return record ?? { row, parts: NO_PARTS }
}

type PartTable = 'log_events' | 'captures' | 'refunds' | 'webhooks'

const ofTransactions = <Name extends PartTable>(queries: Queries, name: Name, ids: readonly number[]) =>
  byIds(ids, async (some) => decodeRows(name, (await selectParts(queries, { name, ids: some })) as KeptRow<Name>[]))

const selectParts = prepared({
  build: (_queries, { name, ids }: { readonly name: PartTable; readonly ids: readonly number[] }) =>
    sql`select * from ${sql.table(name)} where transaction_id in (${sql.join(ids)}) order by id`,
  bind: ({ ids }) => ids,
  shape: ({ name, ids }) => `${name} ${ids.length}`,
})
