import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { NextOutcomeRow } from './tables/next-outcomes.ts'
import type { Queries } from './tables/schema.ts'

/** Those that wait, in their order. @param merchantId undefined: of everybody */
export const findNextOutcomes = (queries: Queries, merchantId?: number): Promise<NextOutcomeRow[]> =>
  queries
    .selectFrom('next_outcomes')
    .selectAll()
    .where('times', '>', 0)
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('id')
    .execute()

/** The first that counts for a merchant, which is used up. Of two payments at once each gets one. */
export async function takeNextOutcome(queries: Queries, merchantId: number): Promise<ForcedOutcome | undefined> {
  for (const { id, merchant_id } of await findNextOutcomes(queries)) {
    if (merchant_id !== null && merchant_id !== merchantId) continue
    const taken = await queries
      .updateTable('next_outcomes')
      .set(({ eb }) => ({ times: eb('times', '-', 1) }))
      .where('id', '=', id)
      .where('times', '>', 0)
      .returning(['outcome', 'times'])
      .executeTakeFirst()
    if (taken?.times === 0) await queries.deleteFrom('next_outcomes').where('id', '=', id).execute()
    if (taken) return taken.outcome
  }
  return undefined
}

export async function insertNextOutcome(queries: Queries, row: Omit<NextOutcomeRow, 'id'>): Promise<void> {
  await queries.insertInto('next_outcomes').values(row).execute()
}

/** Forgets those of a merchant, or all. */
export async function deleteNextOutcomes(queries: Queries, merchantId?: number): Promise<void> {
  await queries
    .deleteFrom('next_outcomes')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .execute()
}
