import type { Response } from 'express'
import { contentRange } from '../../domain/listing/listing.ts'
import { presentTransactions } from '../../presentation/present.ts'
import { readListing } from '../../requests/listing.ts'
import { LISTED_FIELDS, type Page, readPage, type Scope } from '../../storage/list.ts'
import type { Row } from '../../storage/rows.ts'
import type { ListedTable } from '../../storage/tables/schema.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { withParts } from '../../storage/transaction-parts.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'
import { sendJson } from '../http/headers.ts'
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
  const { batches, total } = await readPage(db, dialect, table, scope, listing)
  const texts = await whatFits(batches, present)
  response.setHeader('Content-Range', contentRange(listing.offset, texts.length, total))
  sendJson(response, `[${texts.join()}]`)
}

/** Bytes of one answer (our decision): a longer page ends earlier, as Content-Range says, but not before its first row. */
const ANSWER_BYTES = 16 * 1024 * 1024

async function whatFits<Listed>(
  batches: Page<Listed>['batches'],
  present: (rows: readonly Listed[]) => unknown[] | Promise<unknown[]>,
): Promise<string[]> {
  const texts: string[] = []
  let bytes = '[]'.length
  for await (const rows of batches)
    for (const object of await present(rows)) {
      const text = JSON.stringify(object)
      bytes += Buffer.byteLength(text) + ','.length
      if (bytes > ANSWER_BYTES && texts.length > 0) return texts
      texts.push(text)
    }
  return texts
}

/** Presents the transactions of a list as this request is to see them. */
export function presentListed(response: Response) {
  const viewing = viewingOf(response)
  return async (rows: readonly TransactionRow[]) => presentTransactions(viewing, await withParts(viewing.queries, rows))
}
