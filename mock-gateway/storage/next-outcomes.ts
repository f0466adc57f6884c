import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { Database } from './database.ts'
import { negativeCache } from './negative-cache.ts'
import type { NextOutcomeRow } from './tables/next-outcomes.ts'
import type { Queries } from './tables/schema.ts'

export type NextOutcome = Omit<NextOutcomeRow, 'id'>

/** Outcomes that tests have set for the payments to come. */
export interface NextOutcomes {
  /** After those that are waiting already. */
  add(next: NextOutcome): Promise<void>
  /** The answer for a payment of this merchant, which is used up with it; undefined: the bank decides. */
  take(queries: Queries, merchantId: number): Promise<ForcedOutcome | undefined>
  waiting(merchantId?: number): Promise<readonly NextOutcome[]>
  /** Forgets those of a merchant, or all. */
  clear(merchantId?: number): Promise<void>
}

export function createNextOutcomes({ db, write }: Pick<Database, 'db' | 'write'>): NextOutcomes {
  const any = negativeCache()
  return {
    async add(next) {
      await write((queries) => insertNextOutcome(queries, next))
      any.added()
    },
    async take(queries, merchantId) {
      const waiting = await any.find(() => findNextOutcomes(queries))
      return waiting.length === 0 ? undefined : takeNextOutcome(queries, merchantId)
    },
    waiting: (merchantId) => findNextOutcomes(db, merchantId),
    clear: (merchantId) => write((queries) => deleteNextOutcomes(queries, merchantId)),
  }
}

/** Those that wait, in their order. @param merchantId undefined: of everybody */
const findNextOutcomes = (queries: Queries, merchantId?: number): Promise<NextOutcomeRow[]> =>
  queries
    .selectFrom('next_outcomes')
    .selectAll()
    .where('times', '>', 0)
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('id')
    .execute()

/** The first that counts for a merchant, which is used up. Of two payments at once each gets one. */
async function takeNextOutcome(queries: Queries, merchantId: number): Promise<ForcedOutcome | undefined> {
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

async function insertNextOutcome(queries: Queries, row: NextOutcome): Promise<void> {
  await queries.insertInto('next_outcomes').values(row).execute()
}

async function deleteNextOutcomes(queries: Queries, merchantId?: number): Promise<void> {
  await queries
    .deleteFrom('next_outcomes')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .execute()
}
