import { sql, type Updateable } from 'kysely'
import type { AuthenticationInstructions } from '../domain/card/three-d-secure.ts'
import { findAll, findOne, inserterInto, insertRows } from './rows.ts'
import type { AuthenticationRow, AuthenticationTable } from './tables/authentications.ts'
import { CODECS, type Queries } from './tables/schema.ts'

/** @throws a unique violation if the merchant's nonce was used before */
export const insertAuthentication = inserterInto('authentications')

/** Columns to find an authentication by. If several rows match, the newest is returned. */
export type AuthenticationKey =
  | { readonly ref: string }
  | { readonly token: string }
  | { readonly merchant_id: number; readonly nonce: string }
  | { readonly transaction_id: number; readonly status: 'open' }
  | {
      readonly merchant_id: number
      readonly status: 'open'
      readonly transaction_id?: number
      readonly payment_ref?: string
    }

export const findAuthentication = (
  queries: Queries,
  key: AuthenticationKey,
): Promise<AuthenticationRow | undefined> =>
  findOne(queries, 'authentications', key, { newestFirst: true })

/** Further conditions of an update, in epoch milliseconds. */
export interface UpdateCondition {
  /** The authentication expires at this time or earlier. */
  readonly expiresBy?: number
  /** The bank has given no final answer by this time. */
  readonly unansweredAt?: number
}

/** Answers that do not end an authentication: no answer, and a forged one. */
const INCONCLUSIVE: readonly AuthenticationRow['answer'][] = ['abandon', 'tamper']

/**
 * Returns true if the bank has given a final answer: it ends the authentication when the payer
 * returns.
 */
export const isFinallyAnswered = ({ answer }: Pick<AuthenticationRow, 'answer'>): boolean =>
  answer !== null && !INCONCLUSIVE.includes(answer)

/**
 * Changes an authentication while it is open.
 * @returns the changed row, or undefined if it has ended, perhaps simultaneously
 */
export async function changeOpenAuthentication(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<AuthenticationTable>, 'id'>,
  { expiresBy = Number.MAX_SAFE_INTEGER, unansweredAt }: UpdateCondition = {},
): Promise<AuthenticationRow | undefined> {
  let update = queries
    .updateTable('authentications')
    .set(CODECS.authentications.encode(changes))
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('expires_at', '<=', expiresBy)
  if (unansweredAt !== undefined)
    update = update.where(({ eb, or }) =>
      or([
        eb('answer', 'is', null),
        eb('answer', 'in', INCONCLUSIVE),
        eb('answer_at', '>', unansweredAt),
      ]),
    )
  const row = await update.returningAll().executeTakeFirst()
  return row && CODECS.authentications.decode(row)
}

/** Records which page of the bank the payer has open. */
export const recordOpenPage = (queries: Queries, id: number, page: string) =>
  queries
    .updateTable('authentications')
    .set({ page })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()

/**
 * Records that the payer has left a page of the bank. If the next page has already reported that
 * it is open, nothing changes.
 */
export const recordClosedPage = (queries: Queries, id: number, page: string) =>
  queries
    .updateTable('authentications')
    .set({ page: null })
    .where('id', '=', id)
    .where('page', '=', page)
    .execute()

/**
 * Counts a rejected answer of the bank.
 * @param most number of answers that get a log entry
 * @returns false if that number is already reached
 */
export async function countRefusedAnswer(
  queries: Queries,
  id: number,
  most: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('authentications')
    .set({ refused_answers: sql`refused_answers + 1` })
    .where('id', '=', id)
    .where('refused_answers', '<', most)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Claims an order's authentication for a payment.
 * @returns false if another payment has claimed it
 */
export async function claimAuthentication(
  queries: Queries,
  id: number,
  transactionId: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('authentications')
    .set({ transaction_id: transactionId })
    .where('id', '=', id)
    .where('transaction_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Appends instructions to the queue for the merchant's next authentications. */
export async function addNextAuthentication(
  queries: Queries,
  merchant_id: number,
  plan: AuthenticationInstructions,
): Promise<void> {
  await insertRows(queries, 'next_authentications', [{ merchant_id, plan }])
}

/** Returns the forced results of the merchant's next authentications, in their order. */
export const findNextAuthentications = async (
  queries: Queries,
  merchant_id: number,
): Promise<readonly AuthenticationInstructions[]> =>
  (await findAll(queries, 'next_authentications', { merchant_id })).map(({ plan }) => plan)

export async function deleteNextAuthentications(
  queries: Queries,
  merchantId: number,
): Promise<void> {
  await queries.deleteFrom('next_authentications').where('merchant_id', '=', merchantId).execute()
}

/** Removes and returns the forced result of the merchant's next authentication. */
export async function takeNextAuthentication(
  queries: Queries,
  merchantId: number,
): Promise<AuthenticationInstructions | undefined> {
  const next = await findOne(queries, 'next_authentications', { merchant_id: merchantId })
  if (!next) return undefined
  const taken = await queries
    .deleteFrom('next_authentications')
    .where('id', '=', next.id)
    .returningAll()
    .executeTakeFirst()
  return taken && CODECS.next_authentications.decode(taken).plan
}

/** Returns the authentications of a payment, oldest first. */
export const findAuthentications = (
  queries: Queries,
  transaction_id: number,
): Promise<AuthenticationRow[]> => findAll(queries, 'authentications', { transaction_id })
