import type { Response } from 'express'
import { contentRange, readListing } from '../../domain/listing.ts'
import type { Database } from '../../storage/database.ts'
import { LISTED_FIELDS, readPage, type Scope } from '../../storage/list.ts'
import type { Row } from '../../storage/rows.ts'
import type { ListedTable } from '../../storage/schema.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'

/**
 * Answers one page of a list, the same way for every resource (specification: Listing, pagination, ordering, filtering).
 * @param where further columns that must have these values, as in the transactions of one customer
 */
export async function answerPage<Table extends ListedTable>(
  response: Response,
  { db, dialect }: Database,
  table: Table,
  present: (rows: readonly Row<Table>[]) => unknown[] | Promise<unknown[]>,
  where?: Scope['where'],
): Promise<void> {
  const listing = readListing(exchangeOf(response).parameters, LISTED_FIELDS[table])
  const scope: Scope = { merchantId: merchantOf(response).id, ...(where ? { where } : {}) }
  const { rows, total } = await readPage(db, dialect, table, scope, listing)
  response.setHeader('Content-Range', contentRange(listing.offset, rows.length, total))
  response.json(await present(rows))
}
