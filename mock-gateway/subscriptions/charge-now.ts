import { badFormat } from '../domain/errors/errors.ts'
import type { ForcedOutcome } from '../domain/order/decision.ts'
import { listComingCharges } from '../domain/subscription/dunning.ts'
import type { ClockReport } from '../scheduler/clock-moves.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { OpenWork } from '../work/work.ts'

/** Number of future charges that can be listed and made. */
export const CHARGES_AHEAD = 12

/** A charge to come that is made now. */
export interface ChargeNow {
  /** Due time in epoch milliseconds. */
  readonly at: number
  /** Forced answer of the bank; undefined: as for any other charge. */
  readonly outcome: ForcedOutcome | undefined
}

/**
 * Moves the clock of a subscription's merchant to one of its future charges. Work that is due
 * before or at the same time runs too.
 * @throws errors.request.bad_format (253) if there is no such charge, and the errors of
 * `Timeline.move`
 */
export async function chargeNow(
  {
    timeline,
    chosenResults,
  }: { readonly timeline: Scheduler; readonly chosenResults: ForcedResults },
  subscription: SubscriptionRow,
  { at, outcome }: ChargeNow,
): Promise<ClockReport> {
  if (!listComingCharges(subscription, CHARGES_AHEAD).some((charge) => charge.at === at))
    throw badFormat('This subscription has no pending charge at this time. Reload its page.')
  const move = () => timeline.move({ kind: 'set', at }, { merchantId: subscription.merchant_id })
  return outcome === undefined
    ? move()
    : chosenResults.during({ subscriptionId: subscription.id, at, outcome }, move)
}

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
