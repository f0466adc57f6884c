import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { OpenWork } from '../work/work.ts'

/** A future charge, and the bank's answer to it. */
interface ForcedResult {
  readonly subscriptionId: number
  /** Due time in epoch milliseconds. */
  readonly at: number
  readonly outcome: ForcedOutcome
}

/**
 * Results chosen for single charges. A result applies only while the clock is moved to its charge,
 * and uses up no forced outcome.
 */
export interface ForcedResults {
  /** @returns what `move` gives */
  during<T>(chosen: ForcedResult, move: () => Promise<T>): Promise<T>
  /** Returns the work of a charge, with the chosen result, if any. */
  applied(work: OpenWork, charge: Pick<ForcedResult, 'subscriptionId' | 'at'>): OpenWork
}

export function createChosenResults(): ForcedResults {
  const all = new Set<ForcedResult>()
  return {
    async during(chosen, move) {
      all.add(chosen)
      try {
        return await move()
      } finally {
        all.delete(chosen)
      }
    },
    applied(work, { subscriptionId, at }) {
      // Of two simultaneous choices, the first one's clock moves.
      const chosen = [...all].find(
        (each) => each.subscriptionId === subscriptionId && each.at === at,
      )
      if (!chosen) return work
      const chosenOutcome = chosen.outcome
      return {
        ...work,
        write: (steps) => work.write((inside) => steps({ ...inside, chosenOutcome })),
      }
    },
  }
}
