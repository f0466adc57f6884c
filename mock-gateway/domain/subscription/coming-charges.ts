import type { SubscriptionStatus } from '../../contract/wire.ts'
import type { Hundredths } from '../money/money.ts'
import { afterPaidCharge, periodAt, type SubscriptionProgress } from './dunning.ts'
import { type ChargeParts, nextCharge } from './subscription.ts'

/** A future charge. Times are epoch milliseconds. */
export interface ComingCharge {
  readonly at: number
  /** Start of the period it pays for. */
  readonly period_at: number
  /** 1 is the first attempt. */
  readonly attempt: number
  /** Zero or less: nothing is charged. */
  readonly amount: Hundredths
}

/**
 * Lists the next charges, if each of them is paid: debt affects the first, the rest of a negative
 * debt the following ones, and the last period ends the list.
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
