import type { Database } from './database.ts'
import { negativeCache } from './negative-cache.ts'
import { insertRows } from './rows.ts'
import type { NextOutcomeRow } from './tables/next-outcomes.ts'
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
  take(queries: Queries, merchantId: number, operation: Operation): Promise<NextAnswer | undefined>
  waiting(operation: Operation, merchantId?: number): Promise<readonly NextOutcomeRow[]>
  /**
   * Deletes the outcomes of a merchant, or all.
   * @param id of the only one to delete
   * @returns true if there was one
   */
  clear(operation: Operation, merchantId?: number, id?: number): Promise<boolean>
}

/** The bank's answer and its delay in seconds, and the payer's choices. */
export type NextAnswer = Pick<
  NextOutcome,
  'outcome' | 'seconds' | 'wallet_type' | 'currency_converter'
>

export function createNextOutcomes({
  db,
  write,
  restores,
}: Pick<Database, 'db' | 'write' | 'restores'>): NextOutcomes {
  const any = negativeCache(restores)
  return {
    async add(next) {
      await write((queries) => insertRows(queries, 'next_outcomes', [next]))
      any.added()
    },
    async take(queries, merchantId, operation) {
      const waiting = await any.find(() => findNextOutcomes(queries))
      return waiting.length === 0 ? undefined : takeNextOutcome(queries, merchantId, operation)
    },
    waiting: async (operation, merchantId) =>
      (await findNextOutcomes(db, merchantId)).filter((next) => next.operation === operation),
    clear: (operation, merchantId, id) =>
      write((queries) => deleteNextOutcomes(queries, operation, merchantId, id)),
  }
}

/**
 * Lists pending outcomes in their order.
 * @param merchantId undefined: all merchants
 */
async function findNextOutcomes(queries: Queries, merchantId?: number): Promise<NextOutcomeRow[]> {
  const rows = await queries
    .selectFrom('next_outcomes')
    .selectAll()
    .where('times', '>', 0)
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('id')
    .execute()
  return rows.map((row) => CODECS.next_outcomes.decode(row))
}

/**
 * Removes and returns the first outcome that applies to a merchant. Of two simultaneous payments,
 * each gets a different one.
 */
async function takeNextOutcome(
  queries: Queries,
  merchantId: number,
  operation: Operation,
): Promise<NextAnswer | undefined> {
  for (const { id, merchant_id, ...next } of await findNextOutcomes(queries)) {
    if (next.operation !== operation || (merchant_id !== null && merchant_id !== merchantId))
      continue
    const taken = await queries
      .updateTable('next_outcomes')
      .set(({ eb }) => ({ times: eb('times', '-', 1) }))
      .where('id', '=', id)
      .where('times', '>', 0)
      .returning(['outcome', 'seconds', 'times', 'wallet_type', 'currency_converter'])
      .executeTakeFirst()
    if (taken?.times === 0) await queries.deleteFrom('next_outcomes').where('id', '=', id).execute()
    if (taken) return CODECS.next_outcomes.decode(taken)
  }
  return undefined
}

async function deleteNextOutcomes(
  queries: Queries,
  operation: Operation,
  merchantId?: number,
  id?: number,
): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('next_outcomes')
    .where('operation', '=', operation)
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .executeTakeFirst()
  return numDeletedRows > 0
}
