import type { Response } from 'express'
import { contentRange } from '../../domain/listing.ts'
import { presentTransactions } from '../../presentation/present.ts'
import { readListing } from '../../requests/listing.ts'
import { LISTED_FIELDS, readPage, type Scope } from '../../storage/list.ts'
import type { Row } from '../../storage/rows.ts'
import type { ListedTable } from '../../storage/schema.ts'
import { withParts } from '../../storage/transaction-parts.ts'
import type { TransactionRow } from '../../storage/transactions.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { viewingOf } from './viewing.ts'

/**
 * Answers one page of a list, the same way for every resource (specification: Listing, pagination, ordering, filtering).
 * @param where further columns that must have these values, as in the transactions of one customer
 */
export async function answerPage<Table extends ListedTable>(
  response: Response,
  table: Table,
  present: (rows: readonly Row<Table>[]) => unknown[] | Promise<unknown[]>,
  where?: Scope['where'],
): Promise<void> {
  const { parameters, service } = exchangeOf(response)
  const { db, dialect } = service.database
  const listing = readListing(parameters, LISTED_FIELDS[table])
  const scope: Scope = { merchantId: merchantOf(response).id, ...(where ? { where } : {}) }
  const { rows, total } = await readPage(db, dialect, table, scope, listing)
  response.setHeader('Content-Range', contentRange(listing.offset, rows.length, total))
  response.json(await present(rows))
}

/** Presents the transactions of a list as this request is to see them. */
export function presentListed(response: Response) {
  const viewing = viewingOf(response)
  return async (rows: readonly TransactionRow[]) => presentTransactions(viewing, await withParts(viewing.queries, rows))
}
