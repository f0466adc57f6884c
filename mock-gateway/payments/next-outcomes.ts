import type { ForcedOutcome } from '../domain/decision.ts'

/** What the bank is told to answer next. */
export interface NextOutcome {
  /** Null: whoever pays first. */
  readonly merchantId: number | null
  readonly outcome: ForcedOutcome
  /** How many payments are still answered so. */
  readonly times: number
}

/** Outcomes that tests have set for the payments to come. They are in memory: a restart forgets them. */
export interface NextOutcomes {
  /** After those that are waiting already. */
  add(next: NextOutcome): void
  /** The answer for a payment of this merchant, which is used up; undefined: the bank decides. */
  take(merchantId: number): ForcedOutcome | undefined
  waiting(merchantId?: number): readonly NextOutcome[]
  /** Forgets those of a merchant, or all. */
  clear(merchantId?: number): void
}

export function createNextOutcomes(): NextOutcomes {
  let waiting: readonly NextOutcome[] = []
  return {
    add(next) {
      waiting = [...waiting, next]
    },
    take(merchantId) {
      const next = waiting.find((each) => each.merchantId === null || each.merchantId === merchantId)
      if (!next) return undefined
      const left = next.times > 1 ? [{ ...next, times: next.times - 1 }] : []
      waiting = waiting.flatMap((each) => (each === next ? left : [each]))
      return next.outcome
    },
    waiting: (merchantId) => waiting.filter((each) => merchantId === undefined || each.merchantId === merchantId),
    clear(merchantId) {
      waiting = merchantId === undefined ? [] : waiting.filter((each) => each.merchantId !== merchantId)
    },
  }
}
