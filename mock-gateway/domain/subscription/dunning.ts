import type { SubscriptionStatus } from '../../contract/wire.ts'
import { type Hundredths, hundredths } from '../money/money.ts'
import { calculatePeriodStart, DAY, type Interval } from './periods.ts'
import { type ChargeParts, calculateNextCharge, isPaid } from './subscription.ts'

/** Progress of a subscription, by the names of its columns. */
export interface SubscriptionProgress extends Interval {
  readonly anchor_at: number
  readonly total_periods: number
  readonly period_count: number
  /** The period to charge next, counted from the anchor; unpaid periods count too. */
  readonly period_index: number
  /** Failed attempts to charge that period. */
  readonly attempts: number
  readonly retry_count: number
}

/** Changes to a subscription after a charge, by the names of its columns. */
export type ProgressChange = Pick<
  SubscriptionProgress,
  'period_count' | 'period_index' | 'attempts' | 'retry_count'
> & {
  readonly next_at: number
  readonly debt?: Hundredths
  readonly status?: SubscriptionStatus
}

/** Changes after a paid charge. */
type PaidChange = ProgressChange & Required<Pick<ProgressChange, 'debt' | 'status'>>

/** Rules for retries of failed charges (decision 43). */
export interface DunningRules {
  /**
   * Days from each failed attempt at a period to the next one; after the last one the period stays
   * unpaid.
   */
  readonly dunning: readonly number[]
  /** Then the next period is charged when it begins, or the subscription is cancelled. */
  readonly dunning_end: 'keep' | 'cancel'
}

const NOTHING = hundredths(0)

/** Returns true for a subscription that will be charged and whose last charge failed. */
export const isUnpaid = (each: {
  readonly status: SubscriptionStatus
  readonly retry_count: number
}): boolean => each.status === 'active' && each.retry_count > 0

/**
 * Calculates the changes after a paid charge or a charge of zero, which needs no payment: the
 * period counts, failures are cleared (specification: retry_count), and the rest of a negative debt
 * goes to the next charge.
 * @param amount of the charge; zero or less was not charged
 */
export function applyPaidCharge(
  progress: SubscriptionProgress,
  amount: Hundredths = NOTHING,
): PaidChange {
  const period_count = progress.period_count + 1
  return {
    ...startNextPeriod(progress),
    period_count,
    retry_count: 0,
    debt: hundredths(Math.min(amount, 0)),
    status: isPaid(progress.total_periods, period_count) ? 'cancelled' : 'active',
  }
}

/**
 * Calculates the changes after a declined charge: it is retried by the dunning list, but never into
 * the next period, whose date comes from the anchor and does not move (decision 44).
 * @param at epoch milliseconds of the decline
 */
export function applyDeclinedCharge(
  progress: SubscriptionProgress,
  at: number,
  { dunning, dunning_end }: DunningRules,
): ProgressChange {
  const retry_count = progress.retry_count + 1
  const next = { ...startNextPeriod(progress), retry_count }
  const wait = dunning[progress.attempts]
  if (wait === undefined) return dunning_end === 'cancel' ? { ...next, status: 'cancelled' } : next
  const again = at + wait * DAY
  if (again >= next.next_at) return next
  const { period_count, period_index } = progress
  return {
    period_count,
    period_index,
    attempts: progress.attempts + 1,
    retry_count,
    next_at: again,
  }
}

/**
 * Skips every missed period except the latest.
 * @param until current time in epoch milliseconds
 * @returns undefined if no period was missed
 */
export function skipMissedPeriods(
  progress: SubscriptionProgress,
  until: number,
): ProgressChange | undefined {
  let latest = progress
  for (let next = startNextPeriod(latest); next.next_at <= until; next = startNextPeriod(latest))
    latest = { ...latest, ...next }
  return latest === progress
    ? undefined
    : startNextPeriod({ ...latest, period_index: latest.period_index - 1 })
}

/** Returns the start of the period to charge next, whenever it is attempted. */
export const calculatePeriodAt = ({
  anchor_at,
  period_index,
  ...interval
}: SubscriptionProgress): number => calculatePeriodStart(anchor_at, interval, period_index)

function startNextPeriod({
  period_index,
  period_count,
  retry_count,
  anchor_at,
  ...interval
}: SubscriptionProgress): ProgressChange {
  const index = period_index + 1
  return {
    period_count,
    period_index: index,
    attempts: 0,
    retry_count,
    next_at: calculatePeriodStart(anchor_at, interval, index),
  }
}

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
 * @throws errors.amount.invalid (109) as `calculateNextCharge`
 */
export function listComingCharges(
  subscription: SubscriptionProgress &
    ChargeParts & { readonly status: SubscriptionStatus; readonly next_at: number },
  most: number,
): readonly ComingCharge[] {
  const charges: ComingCharge[] = []
  for (let at = subscription; at.status === 'active' && charges.length < most; ) {
    const amount = calculateNextCharge(at)
    charges.push({
      at: at.next_at,
      period_at: calculatePeriodAt(at),
      attempt: at.attempts + 1,
      amount,
    })
    at = { ...at, ...applyPaidCharge(at, amount) }
  }
  return charges
}
