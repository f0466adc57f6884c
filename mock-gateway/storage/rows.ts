import type { Selectable } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import type { Kept } from './codec.ts'
import { CODECS, type ListedTable, type NumberedTable, type Queries, type Tables } from './schema.ts'

/** A row of one of these tables, as the use cases see it. */
export type Row<Table extends NumberedTable> = Selectable<Tables[Table]> & { readonly id: number }

/** As the databases hold it. */
export type KeptRow<Table extends NumberedTable> = Selectable<Kept<Tables[Table]>>

/** Whole rows, as a query has found them. */
export function decodeRows<Table extends NumberedTable>(table: Table, rows: readonly KeptRow<Table>[]): Row<Table>[] {
  const codec = CODECS[table]
  return rows.map((row) => codec.decode(row) as Row<Table>)
}

/** Ids that one query takes: SQLite binds 32,766 values, PostgreSQL 65,535. */
const IDS_AT_ONCE = 1_000

/** Rows by however many ids, with a query for so many at a time. */
export async function byIds<Found>(
  ids: readonly number[],
  find: (ids: RawBuilder<unknown>) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    for (const row of await find(sql.join(ids.slice(at, at + IDS_AT_ONCE)))) found.push(row)
  return found
}

/** Some rows of a merchant by their ids; ids of other merchants' rows are not found. */
export async function findRows<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Row<Table>>> {
  const rows = await byIds(ids, async (some) => {
    const { rows } = await sql<KeptRow<Table>>`
      select * from ${sql.table(table)} where merchant_id = ${merchantId} and id in (${some})`.execute(queries)
    return decodeRows(table, rows)
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/** One row of a merchant by its id; undefined in, undefined out. */
export async function findRow<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  id: number | undefined,
): Promise<Row<Table> | undefined> {
  if (id === undefined) return undefined
  return (await findRows(queries, table, merchantId, [id])).get(id)
}

/**
 * One row of a merchant, held for the rest of this database transaction: of two that change what they have read, the
 * second waits, and reads what the first has made of it.
 * @param now epoch milliseconds; becomes the row's `updated_at`
 */
export async function holdRow<Table extends 'customers' | 'stored_cards' | 'plans' | 'subscriptions'>(
  queries: Queries,
  table: Table,
  merchantId: number,
  id: number | undefined,
  now: number,
): Promise<Row<Table> | undefined> {
  if (id === undefined) return undefined
  const { rows } = await sql<KeptRow<Table>>`
    update ${sql.table(table)} set updated_at = ${now} where merchant_id = ${merchantId} and id = ${id}
    returning *`.execute(queries)
  return decodeRows(table, rows)[0]
}
