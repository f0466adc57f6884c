import type { ForcedOutcome } from '../domain/order/decision.ts'
import type { OpenWork } from '../work/work.ts'

/** A charge to come, and what the bank answers to it. */
interface ForcedResult {
  readonly subscriptionId: number
  /** Epoch milliseconds: when it is due. */
  readonly at: number
  readonly outcome: ForcedOutcome
}

/**
 * Results that somebody chose for single charges. Each counts while a clock is moved onto its
 * charge, and for no other payment: what waits for the next ones is not used up.
 */
export interface ForcedResults {
  /** @returns what `move` gives */
  during<T>(chosen: ForcedResult, move: () => Promise<T>): Promise<T>
  /** The work of a charge: the bank says what was chosen for it, if anything. */
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
      // Of two that were chosen at once the first is the one whose clock moves.
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
