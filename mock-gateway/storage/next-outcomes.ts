import type { Database } from './database.ts'
import { createNegativeCache } from './negative-cache.ts'
import { compare, deleteRows, findAll, insertRow, type Where } from './rows.ts'
import type { NextOutcomeRow } from './tables/sandbox.ts'
import { CODECS, type Queries } from './tables/schema.ts'

export type NextOutcome = Omit<NextOutcomeRow, 'id'>
export type Operation = NextOutcome['operation']

/** Outcomes that tests have set for the payments, and captures, to come. */
export interface NextOutcomes {
  /** Adds an outcome behind the pending ones. */
  add(next: NextOutcome): Promise<void>
  /**
   * The answer for a payment of this merchant, or a capture, which is used up with it; undefined:
   * the bank decides.
   */
  take(queries: Queries, merchantId: number, operation: Operation): Promise<NextOutcome | undefined>
  waiting(operation: Operation, merchantId?: number): Promise<readonly NextOutcomeRow[]>
  /**
   * Deletes the outcomes of a merchant, or all.
   * @param id of the only one to delete
   * @returns true if there was one
   */
  clear(operation: Operation, merchantId?: number, id?: number): Promise<boolean>
}

export function createNextOutcomes({
  db,
  write,
  restores,
}: Pick<Database, 'db' | 'write' | 'restores'>): NextOutcomes {
  const any = createNegativeCache(restores)
  return {
    async add(next) {
      await write((queries) => insertRow(queries, 'next_outcomes', next))
      any.added()
    },
    async take(queries, merchantId, operation) {
      const waiting = await any.find(() => findWaiting(queries, {}))
      return waiting.length === 0 ? undefined : takeNextOutcome(queries, merchantId, operation)
    },
    waiting: (operation, merchant_id) => findWaiting(db, { operation, merchant_id }),
    clear: async (operation, merchant_id, id) =>
      (
        await write((queries) =>
          deleteRows(queries, 'next_outcomes', { operation, merchant_id, id }),
        )
      ).length > 0,
  }
}

/** Lists pending outcomes in their order. */
const findWaiting = (queries: Queries, where: Where<'next_outcomes'>): Promise<NextOutcomeRow[]> =>
  findAll(queries, 'next_outcomes', { ...where, times: compare('>', 0) })

/**
 * Removes and returns the first outcome that applies to a merchant. Of two simultaneous payments,
 * each gets a different one.
 */
async function takeNextOutcome(
  queries: Queries,
  merchantId: number,
  operation: Operation,
): Promise<NextOutcome | undefined> {
  for (const { id, merchant_id } of await findWaiting(queries, { operation })) {
    if (merchant_id !== null && merchant_id !== merchantId) continue
    const taken = await queries
      .updateTable('next_outcomes')
      .set(({ eb }) => ({ times: eb('times', '-', 1) }))
      .where('id', '=', id)
      .where('times', '>', 0)
      .returningAll()
      .executeTakeFirst()
    if (taken?.times === 0) await deleteRows(queries, 'next_outcomes', { id })
    if (taken) return CODECS.next_outcomes.decode(taken)
  }
  return undefined
}
