import type { Item, PlanStatus, SubscriptionStatus } from '../../contract/wire.ts'
import { GatewayError } from '../errors/errors.ts'
import type { Currency } from '../money/currencies.ts'
import { fitsCurrency, type Hundredths, hundredths, readAmountFilter } from '../money/money.ts'
import { calculateItemsTotal } from '../order/items.ts'
import { calculatePeriodStart, DAY, type Interval } from './periods.ts'
import { type PlanTerms, requireOffer } from './plan.ts'

/**
 * A subscriber's order, in addition to the terms of the plan (specification: Create transaction).
 */
export interface SubscriptionOrder {
  readonly planId: number
  /** First moment of the start date, UTC; undefined: now. */
  readonly startDate: number | undefined
  /** Multiplier of the plan's price. */
  readonly quantity: number
  /** Added to the charge of every period. */
  readonly items: readonly Item[]
}

/** An order without its plan; undefined: not sent. */
export type SubscriptionOrderParts = {
  readonly [Part in Exclude<keyof SubscriptionOrder, 'planId'>]: SubscriptionOrder[Part] | undefined
}

/**
 * Reads the debt of a subscription, which is added to the next charge or, if negative, subtracted.
 * @throws errors.amount.invalid (109)
 */
export function readDebt(sent: string | undefined, currency: Currency): Hundredths | undefined {
  if (sent === undefined) return undefined
  const debt = readAmountFilter(sent)
  if (debt !== undefined && fitsCurrency(debt, currency)) return debt
  throw new GatewayError('errors.amount.invalid', {
    explain: `debt must be an amount in ${currency} such as 10.00 or -10.00.`,
  })
}

/** Parts of a charge; money in hundredths. */
export type ChargeParts = Pick<NewSubscription, 'price' | 'quantity' | 'items' | 'debt'>

/**
 * Calculates the next charge: price times quantity, plus items and debt (specification: template
 * variables, debt and multiplier). Negative if a negative debt outweighs the rest.
 * @throws errors.amount.invalid (109) if it is beyond 90071992547409.91 either way
 */
export function calculateNextCharge({ price, quantity, items, debt }: ChargeParts): Hundredths {
  const charge = Number(
    BigInt(price) * BigInt(quantity) + BigInt(calculateItemsTotal(items)) + BigInt(debt),
  )
  if (Number.isSafeInteger(charge)) return hundredths(charge)
  throw new GatewayError('errors.amount.invalid', {
    explain:
      'The charge (price times quantity, plus items and debt) must be between -90071992547409.91 and 90071992547409.91.',
  })
}

const NO_DEBT = hundredths(0)

/**
 * A new subscription, by the names of its columns. Money is in hundredths, times are epoch
 * milliseconds.
 */
export interface NewSubscription extends Interval {
  readonly plan_id: number
  readonly status: SubscriptionStatus
  readonly currency: Currency
  readonly price: Hundredths
  readonly quantity: number
  readonly items: readonly Item[]
  readonly debt: Hundredths
  readonly total_periods: number
  readonly period_count: number
  readonly retry_count: number
  /** Before any trial. */
  readonly start_date: number
  /** Start of the first period. */
  readonly anchor_at: number
  /** The period to charge next, counted from the anchor. */
  readonly period_index: number
  /** Failed attempts to charge that period. */
  readonly attempts: number
  readonly next_at: number
}

/**
 * Creates a subscription with the plan's current terms. A payment covers the setup fees and the
 * first period, unless the period begins later because of a start date or a trial. In all other
 * cases the first charge is due when the first period begins; without a payment the fees are a debt
 * until then (decision 42). A start date in the past counts as now.
 * @param plan undefined if the merchant has none with the ordered id
 * @param how.paid true if a payment starts it
 * @throws the errors of `requireOffer` and `calculateNextCharge`
 */
export function beginSubscription(
  plan: (PlanTerms & { readonly id: number; readonly status: PlanStatus }) | undefined,
  { startDate, quantity, items }: Omit<SubscriptionOrder, 'planId'>,
  {
    currency,
    paid,
    now,
  }: { readonly currency: Currency; readonly paid: boolean; readonly now: number },
): NewSubscription {
  const offer = requireOffer(plan, currency)
  const { price, periods } = offer
  // The amount of a payment includes the fees.
  const debt = paid ? NO_DEBT : (offer.setup_fees[currency] ?? NO_DEBT)
  calculateNextCharge({ price, quantity, items, debt })
  const start = Math.max(startDate ?? now, now)
  const anchor = start + offer.trial_length * DAY
  const periodCount = paid && anchor <= now ? 1 : 0
  return {
    plan_id: offer.id,
    status: isPaid(periods, periodCount) ? 'cancelled' : 'active',
    currency,
    price,
    quantity,
    items,
    debt,
    interval: offer.interval,
    interval_unit: offer.interval_unit,
    total_periods: periods,
    period_count: periodCount,
    retry_count: 0,
    start_date: start,
    anchor_at: anchor,
    period_index: periodCount,
    attempts: 0,
    next_at: calculatePeriodStart(anchor, offer, periodCount),
  }
}

/** Returns true if every period is paid; never for a subscription without an end. */
export const isPaid = (totalPeriods: number, periodCount: number): boolean =>
  totalPeriods > 0 && periodCount >= totalPeriods

/**
 * Returns the number of unpaid periods; 0 for a subscription without an end, because clients need a
 * number (observed: 7.6).
 */
export const countPeriodsLeft = (totalPeriods: number, periodCount: number): number =>
  Math.max(totalPeriods - periodCount, 0)
