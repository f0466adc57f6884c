import { type RawBuilder, sql } from 'kysely'
import { atMost } from './due.ts'
import { decodeRows, type Row, type StoredRow } from './rows.ts'
import type { ListedTable, Queries } from './tables/schema.ts'

/** Search conditions, ending before the value; each has an index. */
const FOUND_BY = {
  id: sql`id`,
  payment_ref: sql`payment_ref`,
  amount: sql`amount`,
  /** The last four digits of a card: as the index of the first migration writes it. */
  last_four: sql`card_number is not null and substr(card_number, length(card_number) - 3)`,
  error_name: sql`error_name`,
  ref: sql`ref`,
  token: sql`token`,
} as const satisfies Readonly<Record<string, RawBuilder<unknown>>>

/** A search condition and its value. */
export type SearchTerm = readonly [by: keyof typeof FOUND_BY, value: string | number]

/** Offset and number of the results to return. */
export interface ResultRange {
  readonly limit: number
  readonly offset: number
}

/** Rows of a merchant that have a value, the newest first. */
export async function searchRows<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  [by, value]: SearchTerm,
  { limit, offset }: ResultRange,
): Promise<Row<Table>[]> {
  const { rows } = await sql<StoredRow<Table>>`select * from ${sql.table(table)}
    where merchant_id = ${merchantId} and ${FOUND_BY[by]} = ${value}
    order by id desc limit ${atMost(limit)} offset ${offset}`.execute(queries)
  return decodeRows(table, rows)
}
