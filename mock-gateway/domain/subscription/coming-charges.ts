import type { SubscriptionStatus } from '../../contract/wire.ts'
import type { Hundredths } from '../money/money.ts'
import { afterPaidCharge, periodAt, type SubscriptionProgress } from './dunning.ts'
import { type ChargeParts, nextCharge } from './subscription.ts'

/** A charge that has yet to be made. Times are epoch milliseconds. */
export interface ComingCharge {
  readonly at: number
  /** Start of the period that it pays. */
  readonly period_at: number
  /** 1 is the first try. */
  readonly attempt: number
  /** Of zero or less there is nothing to charge. */
  readonly amount: Hundredths
}

/**
 * The charges to come, at most so many, when each of them is paid: debt counts for the first, what
 * a negative one leaves over for those after it, and the last period ends them.
 * @throws errors.amount.invalid (109) as `nextCharge`
 */
export function comingCharges(
  subscription: SubscriptionProgress &
    ChargeParts & { readonly status: SubscriptionStatus; readonly next_at: number },
  most: number,
): readonly ComingCharge[] {
  const charges: ComingCharge[] = []
  for (let at = subscription; at.status === 'active' && charges.length < most; ) {
    const amount = nextCharge(at)
    charges.push({ at: at.next_at, period_at: periodAt(at), attempt: at.attempts + 1, amount })
    at = { ...at, ...afterPaidCharge(at, amount) }
  }
  return charges
}
