import type { RequestFacts } from './request-facts.ts'

/** One of the last requests. */
export interface RecentRequest extends RequestFacts {
  /** Epoch milliseconds, by its merchant's clock. */
  readonly at: number
}

/** The last requests of clients, in memory: who integrates sees what arrived, and why it was refused. */
export interface RecentRequests {
  /** @param at epoch milliseconds */
  add(facts: RequestFacts, at: number): void
  /**
   * The newest first.
   * @param merchantId whose; undefined: all of them, and those that proved to be nobody's
   */
  of(merchantId: number | undefined): readonly RecentRequest[]
}

/** @param limit how many are remembered, of all merchants together */
export function createRecentRequests(limit = 1_000): RecentRequests {
  const ring: RecentRequest[] = []
  let count = 0
  return {
    add(facts, at) {
      ring[count % limit] = { ...facts, at }
      count += 1
    },
    of(merchantId) {
      const split = count % limit
      const oldestFirst = count > limit ? [...ring.slice(split), ...ring.slice(0, split)] : ring
      return oldestFirst
        .filter(({ merchant_id }) => merchantId === undefined || merchant_id === merchantId)
        .toReversed()
    },
  }
}
