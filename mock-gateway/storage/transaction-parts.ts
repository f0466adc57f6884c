import { sql } from 'kysely'
import { bindEach, byIds, prepared } from './prepared.ts'
import { decodeRows, findAll } from './rows.ts'
import type { CaptureRow, LogEventRow, RefundRow } from './tables/payment-parts.ts'
import type { Queries } from './tables/schema.ts'
import type { TransactionRow } from './tables/transactions.ts'
import type { WebhookRow } from './tables/webhooks.ts'
import { withSentBodies } from './webhooks.ts'

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
 * Returns transactions with their parts, in the given order: one query for each kind of part that
 * exists. A row that is changed meanwhile and its parts come from the same point in time; otherwise
 * a payment could show a capture that its status forbids.
 * @param refunds false omits refunds, since one transaction can have thousands
 */
export async function loadRecords(
  queries: Queries,
  rows: readonly TransactionRow[],
  { refunds: wanted }: { readonly refunds: boolean } = { refunds: true },
): Promise<readonly TransactionRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  // Runs the queries in sequence, because within a transaction they share a connection.
  const logEvents = await ofTransactions(queries, 'log_events', ids)
  const there = await selectRare(queries, { first: Math.min(...ids), last: Math.max(...ids) })
  const rare = async <Name extends RarePart>(name: Name) =>
    there.some((each) => each.name === name) ? ofTransactions(queries, name, ids) : []
  const captures = await rare('captures')
  const refunds = wanted ? await rare('refunds') : []
  const webhooks = await withSentBodies(queries, await rare('webhooks'))
  const fresh = there.length > 0 ? await findChangedSince(queries, rows) : undefined
  if (fresh) return loadRecords(queries, fresh, { refunds: wanted })
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

/** Returns a transaction with its parts. */
export async function loadRecord(
  queries: Queries,
  row: TransactionRow,
): Promise<TransactionRecord> {
  const [record] = await loadRecords(queries, [row])
  return record ?? { row, parts: NO_PARTS }
}

type PartTable = 'log_events' | 'captures' | 'refunds' | 'webhooks'

const ofTransactions = <Name extends PartTable>(
  queries: Queries,
  name: Name,
  ids: readonly number[],
) => byIds(ids, async (some) => decodeRows(name, await selectParts(queries, { name, ids: some })))

/** Reads the rows again if one of them was changed since it was read. */
async function findChangedSince(
  queries: Queries,
  rows: readonly TransactionRow[],
): Promise<readonly TransactionRow[] | undefined> {
  const ids = rows.map(({ id }) => id)
  const versions = new Map(
    (await byIds(ids, (some) => selectVersions(queries, some))).map((row) => [row.id, row.version]),
  )
  if (rows.every(({ id, version }) => (versions.get(id) ?? version) === version)) return undefined
  const current = await byIds(ids, (id) => findAll(queries, 'transactions', { id }))
  return rows.map((row) => current.find(({ id }) => id === row.id) ?? row)
}

const selectVersions = prepared(
  (bind, queries, ids: readonly number[]) =>
    queries
      .selectFrom('transactions')
      .select(['id', 'version'])
      .where(
        'id',
        'in',
        bindEach(bind, ids, (some) => some),
      ),
  (ids) => String(ids.length),
)

/** Parts that most transactions do not have. */
const RARE = ['captures', 'refunds', 'webhooks'] as const
type RarePart = (typeof RARE)[number]

/**
 * Returns the kinds of parts that transactions with ids from `first` to `last` can have, with one
 * query of each index.
 */
const selectRare = prepared(
  (bind, _queries, _ids: { readonly first: number; readonly last: number }) => {
    const kinds = RARE.map(
      (name) =>
        sql`select ${sql.lit(name)} as name where exists (
          select 1 from ${sql.table(name)} where transaction_id
          between ${bind('first')} and ${bind('last')})`,
    )
    return sql<{ name: RarePart }>`${sql.join(kinds, sql` union all `)}`
  },
)

const selectParts = prepared(
  (bind, _queries, { name, ids }: { readonly name: PartTable; readonly ids: readonly number[] }) =>
    sql`select * from ${sql.table(name)}
      where transaction_id in (${sql.join(bindEach(bind, ids, (of) => of.ids))})
      order by transaction_id, id`,
  ({ name, ids }) => `${name} ${ids.length}`,
)
