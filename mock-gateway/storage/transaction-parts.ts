import type { Insertable, Selectable } from 'kysely'
import type { CaptureTable, LogEventTable, Queries, RefundTable, WebhookTable } from './schema.ts'

export type LogEventRow = Selectable<LogEventTable>
export type CaptureRow = Selectable<CaptureTable>
export type RefundRow = Selectable<RefundTable>
export type WebhookRow = Selectable<WebhookTable>

/** The rows that belong to one transaction, each list oldest first. */
export interface TransactionParts {
  readonly logEvents: readonly LogEventRow[]
  readonly captures: readonly CaptureRow[]
  readonly refunds: readonly RefundRow[]
  readonly webhooks: readonly WebhookRow[]
}

export const NO_PARTS: TransactionParts = { logEvents: [], captures: [], refunds: [], webhooks: [] }

export async function insertLogEvents(
  queries: Queries,
  rows: readonly Insertable<LogEventTable>[],
): Promise<LogEventRow[]> {
  if (rows.length === 0) return []
  return queries.insertInto('log_events').values(rows).returningAll().execute()
}

export async function insertWebhooks(
  queries: Queries,
  rows: readonly Insertable<WebhookTable>[],
): Promise<WebhookRow[]> {
  if (rows.length === 0) return []
  return queries.insertInto('webhooks').values(rows).returningAll().execute()
}

export async function insertCapture(queries: Queries, row: Insertable<CaptureTable>): Promise<void> {
  await queries.insertInto('captures').values(row).execute()
}

/** The parts of each of these transactions, in four queries however many there are. */
export async function findParts(
  queries: Queries,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, TransactionParts>> {
  if (transactionIds.length === 0) return new Map()
  const [logEvents, captures, refunds, webhooks] = await Promise.all([
    ofTransactions<LogEventRow>(queries, 'log_events', transactionIds),
    ofTransactions<CaptureRow>(queries, 'captures', transactionIds),
    ofTransactions<RefundRow>(queries, 'refunds', transactionIds),
    ofTransactions<WebhookRow>(queries, 'webhooks', transactionIds),
  ])
  const of = <Row extends { transaction_id: number }>(rows: readonly Row[], id: number) =>
    rows.filter((row) => row.transaction_id === id)
  return new Map(
    transactionIds.map((id) => [
      id,
      {
        logEvents: of(logEvents, id),
        captures: of(captures, id),
        refunds: of(refunds, id),
        webhooks: of(webhooks, id),
      },
    ]),
  )
}

type PartTable = 'log_events' | 'captures' | 'refunds' | 'webhooks'

async function ofTransactions<Row>(queries: Queries, table: PartTable, ids: readonly number[]): Promise<Row[]> {
  const rows = await queries
    .selectFrom(table)
    .selectAll()
    .where('transaction_id', 'in', [...ids])
    .orderBy('id')
    .execute()
  return rows as unknown as Row[]
}
