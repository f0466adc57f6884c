import { sql } from 'kysely'
import type { TransactionStatus } from '../contract/wire.ts'
import { isHrefToken } from '../domain/identifiers.ts'
import { findStatusEvent, STATES } from '../domain/order/states.ts'
import { byIds, prepared } from './prepared.ts'
import { insertRows } from './rows.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import type {
  NewTransactionRow,
  TransactionChanges,
  TransactionRow,
} from './tables/transactions.ts'

/**
 * @throws a unique violation if it claims a payment_ref that is claimed, or has the attempt of
 * another transaction
 */
export async function insertTransaction(
  queries: Queries,
  row: NewTransactionRow,
): Promise<TransactionRow> {
  const [id] = await insertRows(queries, 'transactions', [row])
  return { ...row, id, tries: 0, version: 1 } as TransactionRow
}

/** Finds a transaction by the token of its payment page; undefined also for malformed tokens. */
export async function findTransactionByHrefToken(
  queries: Queries,
  token: unknown,
): Promise<TransactionRow | undefined> {
  if (typeof token !== 'string' || !isHrefToken(token)) return undefined
  const [row] = await selectByHrefToken(queries, { token })
  return row && CODECS.transactions.decode(row)
}

const selectByHrefToken = prepared((bind, queries, _by: { readonly token: string }) =>
  queries.selectFrom('transactions').selectAll().where('href_token', '=', bind('token')),
)

/** A transaction that holds its payment_ref: no other transaction may be paid with it. */
export type Claim = Pick<TransactionRow, 'id' | 'status'>

/**
 * Finds the transaction that holds this payment_ref: authorized, approved or being processed.
 * @param exceptId a transaction that may hold it
 */
export async function findClaim(
  queries: Queries,
  merchantId: number,
  paymentRef: string,
  exceptId = 0,
): Promise<Claim | undefined> {
  const [claim] = await findClaims(queries, { merchantId, paymentRef, exceptId })
  return claim
}

/**
 * The statuses of transactions that hold their payment_ref, and a use of their payment link, for
 * themselves.
 */
export const CLAIMING = (Object.keys(STATES) as TransactionStatus[]).filter(
  (status) => STATES[status].claimsPaymentRef,
)

const findClaims = prepared((bind, queries, _order: ClaimedOrder) =>
  queries
    .selectFrom('transactions')
    .select(['id', 'status'])
    .where('merchant_id', '=', bind('merchantId'))
    .where('payment_ref', '=', bind('paymentRef'))
    .where('id', '!=', bind('exceptId'))
    .where('status', 'in', CLAIMING)
    // Not a parameter: SQLite would prepare the statement again each time.
    .limit(sql.lit(1)),
)

interface ClaimedOrder {
  readonly merchantId: number
  readonly paymentRef: string
  readonly exceptId: number
}

/**
 * Changes a transaction, if it is still as it was read.
 * @throws a unique violation if it claims a payment_ref that is claimed
 * @throws TypeError if the new status cannot follow the old one: a mistake of the caller
 * @returns the changed row, or undefined if another change was first
 */
export async function updateTransaction(
  queries: Queries,
  read: TransactionRow,
  changes: TransactionChanges,
): Promise<TransactionRow | undefined> {
  const { status = read.status } = changes
  if (status !== read.status && findStatusEvent(read.status, status) === undefined)
    throw new TypeError(`A transaction that is ${read.status} cannot become ${status}`)
  const version = read.version + 1
  const { numUpdatedRows } = await queries
    .updateTable('transactions')
    .set({ ...CODECS.transactions.encode(changes), version })
    .where('id', '=', read.id)
    .where('version', '=', read.version)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? ({ ...read, ...changes, version } as TransactionRow) : undefined
}

/** A payment's merchant and order. */
export type NamedPayment = Pick<TransactionRow, 'merchant_id' | 'payment_ref'>

/** Returns payments of any merchant by their ids. */
export async function findNamedPayments(
  queries: Queries,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedPayment>> {
  const rows = await byIds(ids, (some) =>
    queries
      .selectFrom('transactions')
      .select(['id', 'merchant_id', 'payment_ref'])
      .where('id', 'in', some)
      .execute(),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
