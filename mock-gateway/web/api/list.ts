import type { Response } from 'express'
import { formatContentRange } from '../../domain/listing.ts'
import { readExtend, readListing } from '../../parsing/listing.ts'
import { isSent } from '../../parsing/parameters/parameters.ts'
import { presentTransactions } from '../../serializers/present.ts'
import type { ViewContext } from '../../serializers/transaction.ts'
import { type ListPage, readPage, type Scope } from '../../storage/list.ts'
import type { Row } from '../../storage/rows.ts'
import { LISTED_FIELDS, type ListedTable } from '../../storage/tables/schema.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { loadRecords } from '../../storage/transaction-parts.ts'
import { getExchange, getMerchant } from '../http/exchange.ts'
import { sendJson } from '../http/headers.ts'

/**
 * Sends one page of a list, for every resource (specification: Listing, pagination, ordering,
 * filtering).
 * @param where columns with required values, as for the transactions of one customer
 */
export async function answerPage<Table extends ListedTable>(
  response: Response,
  table: Table,
  present: (rows: readonly Row<Table>[]) => unknown[] | Promise<unknown[]>,
  where?: Scope['where'],
): Promise<void> {
  const { parameters, service } = getExchange(response)
  const { db, dialect } = service.database
  const listing = readListing(parameters, LISTED_FIELDS[table])
  const scope: Scope = { merchantId: getMerchant(response).id, ...(where ? { where } : {}) }
  const { batches, total } = await readPage(db, dialect, table, scope, listing)
  const { lists, count, bytes } = await findFitting(batches, present)
  response.setHeader('Content-Range', formatContentRange(listing.offset, count, total))
  sendJson(response, joinLists(lists), bytes)
}

/**
 * Maximum bytes of one response (our decision): a longer page ends earlier, as Content-Range shows,
 * but has at least one row.
 */
const ANSWER_BYTES = 16 * 1024 * 1024

/** The rows of a page that fit into one response. */
interface Fitting {
  /** JSON texts of one object or more. */
  readonly lists: string[]
  count: number
  /** Size of the whole list. */
  bytes: number
}

async function findFitting<Listed>(
  batches: ListPage<Listed>['batches'],
  present: (rows: readonly Listed[]) => unknown[] | Promise<unknown[]>,
): Promise<Fitting> {
  const fitting: Fitting = { lists: [], count: 0, bytes: '[]'.length }
  for await (const rows of batches) {
    const objects = await present(rows)
    // Nearly always all fit: serializing them together takes three quarters of the time.
    if (objects.length === 0 || addFitting(fitting, objects)) continue
    for (const object of objects) if (!addFitting(fitting, [object])) return fitting
  }
  return fitting
}

/** Adds objects if all of them fit. */
function addFitting(fitting: Fitting, objects: readonly unknown[]): boolean {
  const list = JSON.stringify(objects)
  const bytes = fitting.bytes + Buffer.byteLength(list) - (fitting.count === 0 ? '[]' : '[').length
  const isFirst = fitting.count === 0 && objects.length === 1
  if (bytes > ANSWER_BYTES && !isFirst) return false
  fitting.lists.push(list)
  fitting.count += objects.length
  fitting.bytes = bytes
  return true
}

const joinLists = ([list = '[]', ...more]: readonly string[]): string =>
  more.length === 0
    ? list
    : `${[list.slice(0, -1), ...more.map((one) => one.slice(1, -1))].join()}]`

/** Serializes the transactions of a list for this request. */
export function presentListed(response: Response) {
  const viewing = createViewContext(response)
  return async (rows: readonly TransactionRow[]) =>
    presentTransactions(viewing, await loadRecords(viewing.queries, rows))
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Creates the context of serializers for this request: its language, and the objects it extends.
 */
export function createViewContext(response: Response): ViewContext {
  const exchange = getExchange(response)
  const { locale, parameters, service } = exchange
  const { addresses, database } = service
  return {
    queries: database.db,
    merchant: getMerchant(response),
    addresses,
    locale,
    extend: isSent(parameters, 'extend') ? readExtend(parameters, exchange) : NOTHING,
  }
}
