import type { Insertable, Selectable, Updateable } from 'kysely'
import { eventOf } from '../domain/states.ts'
import { prepared } from './prepared.ts'
import type { Queries, TransactionTable } from './schema.ts'

export type TransactionRow = Selectable<TransactionTable>
export type NewTransactionRow = Omit<Insertable<TransactionTable>, 'id' | 'version'>
export type TransactionChanges = Omit<Updateable<TransactionTable>, 'id' | 'merchant_id' | 'version'>

/** @throws a unique violation when the payment_ref is taken by a transaction that is not declined or failed */
export async function insertTransaction(queries: Queries, row: NewTransactionRow): Promise<TransactionRow> {
  const [inserted] = await insert(queries, row)
  return { ...row, ...inserted, version: 1 } as TransactionRow
}

const insert = prepared({
  build: (queries, row: NewTransactionRow) => queries.insertInto('transactions').values(row).returning('id'),
  bind: (row) => Object.values(row),
  shape: (row) => Object.keys(row).join(),
})

/** By the token of its payment page, which is all the payer has. */
export function findTransactionByHrefToken(queries: Queries, token: string): Promise<TransactionRow | undefined> {
  return queries.selectFrom('transactions').selectAll().where('href_token', '=', token).executeTakeFirst()
}

/** By the browser library's id of one attempt to pay. */
export function findTransactionByAttempt(
  queries: Queries,
  merchantId: number,
  attempt: string,
): Promise<TransactionRow | undefined> {
  return queries
    .selectFrom('transactions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
}

/**
 * Changes a transaction if nobody has since it was read.
 * @throws TypeError when its status cannot follow the one it has: a mistake of the caller
 * @returns the changed row, or undefined when another change came first
 */
export async function updateTransaction(
  queries: Queries,
  read: TransactionRow,
  changes: TransactionChanges,
): Promise<TransactionRow | undefined> {
  const { status = read.status } = changes
  if (status !== read.status && eventOf(read.status, status) === undefined)
    throw new TypeError(`A transaction that is ${read.status} cannot become ${status}`)
  const version = read.version + 1
  const { numUpdatedRows } = await queries
    .updateTable('transactions')
    .set({ ...changes, version })
    .where('id', '=', read.id)
    .where('version', '=', read.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? ({ ...read, ...changes, version } as TransactionRow) : undefined
}
