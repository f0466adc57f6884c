import { sql } from 'kysely'
import { decodeRows, type KeptRow, type Row } from './rows.ts'
import type { ListedTable, Queries } from './tables/schema.ts'

/** The newest row of a merchant. @param statuses it has one of these; undefined: any, or the table has none */
export async function findNewest<Table extends ListedTable>(
  queries: Queries,
  table: Table,
  merchantId: number,
  statuses?: readonly string[],
): Promise<Row<Table> | undefined> {
  const wanted = statuses ? sql`and status in (${sql.join(statuses)})` : sql``
  const { rows } = await sql<KeptRow<Table>>`
    select * from ${sql.table(table)} where merchant_id = ${merchantId} ${wanted} order by id desc limit 1`.execute(
    queries,
  )
  return decodeRows(table, rows)[0]
}
