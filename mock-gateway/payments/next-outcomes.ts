import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { Database } from '../storage/database.ts'
import { negativeCache } from '../storage/negative-cache.ts'
import { deleteNextOutcomes, findNextOutcomes, insertNextOutcome, takeNextOutcome } from '../storage/next-outcomes.ts'
import type { NextOutcomeRow } from '../storage/tables/next-outcomes.ts'
import type { Queries } from '../storage/tables/schema.ts'

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

export function createNextOutcomes({ db, write }: Database): NextOutcomes {
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
