import { sql, type Updateable } from 'kysely'
import type { AuthenticationInstructions } from '../domain/card/three-d-secure.ts'
import { deleteRows, findOne } from './rows.ts'
import type { AuthenticationRow, AuthenticationTable } from './tables/authentications.ts'
import { CODECS, type Queries } from './tables/schema.ts'

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

/** Removes and returns the forced result of the merchant's next authentication. */
export async function takeNextAuthentication(
  queries: Queries,
  merchantId: number,
): Promise<AuthenticationInstructions | undefined> {
  const next = await findOne(queries, 'next_authentications', { merchant_id: merchantId })
  if (!next) return undefined
  const [taken] = await deleteRows(queries, 'next_authentications', { id: next.id })
  return taken?.plan
}
