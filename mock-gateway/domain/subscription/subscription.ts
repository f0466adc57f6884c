import type { Item, PlanStatus, SubscriptionStatus } from '../../contract/wire.ts'
import { GatewayError } from '../errors/errors.ts'
import type { Currency } from '../money/currencies.ts'
import { amountIn, fitsCurrency, type Hundredths, hundredths } from '../money/money.ts'
import { itemsTotal } from '../order/items.ts'
import { DAY, type Interval, periodStart } from './periods.ts'
import { offerOf, type PlanTerms } from './plan.ts'

/** What a subscriber orders, besides the plan's own terms (specification: Create transaction). */
export interface SubscriptionOrder {
  readonly planId: number
  /** First moment of the day it begins, UTC; undefined is at once. */
  readonly startDate: number | undefined
  /** Multiplies the plan's price. */
  readonly quantity: number
  /** Charged with every period. */
  readonly items: readonly Item[]
}

/** An order without its plan; undefined is not sent. */
export type SubscriptionOrderParts = {
  readonly [Part in Exclude<keyof SubscriptionOrder, 'planId'>]: SubscriptionOrder[Part] | undefined
}

/**
 * Reads the debt of a subscription: what the next charge adds or, below zero, subtracts.
 * @throws errors.amount.invalid (109)
 */
export function readDebt(sent: string | undefined, currency: Currency): Hundredths | undefined {
  if (sent === undefined) return undefined
  const debt = amountIn(sent)
  if (debt !== undefined && fitsCurrency(debt, currency)) return debt
  throw new GatewayError('errors.amount.invalid', {
    explain: `debt must be an amount in ${currency} such as 10.00 or -10.00`,
  })
}

/** What a charge is made of; money in hundredths. */
export type ChargeParts = Pick<NewSubscription, 'price' | 'quantity' | 'items' | 'debt'>

/**
 * What the next charge comes to: price times quantity, the items and the debt (specification:
 * template variables, debt and multiplier). Below zero when a negative debt outweighs the rest.
 * @throws errors.amount.invalid (109) when it is beyond 90071992547409.91 either way
 */
export function nextCharge({ price, quantity, items, debt }: ChargeParts): Hundredths {
  const charge = Number(BigInt(price) * BigInt(quantity) + BigInt(itemsTotal(items)) + BigInt(debt))
  if (Number.isSafeInteger(charge)) return hundredths(charge)
  throw new GatewayError('errors.amount.invalid', {
    explain: 'Price times quantity, with items and debt, is larger than 90071992547409.91',
  })
}

const NO_DEBT = hundredths(0)

/**
 * A subscription as it begins, by the names of its columns. Money is hundredths, times are epoch
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
  /** The period that is charged next, counted from there. */
  readonly period_index: number
  /** Failed tries to charge that period. */
  readonly attempts: number
  readonly next_at: number
}

/**
 * Begins a subscription on the plan's present terms. A payment pays the setup fees, and the first
 * period unless that lies ahead because of a start date or a trial; then, and without a payment,
 * the first charge is due when the first period begins, and without a payment the fees are a debt
 * until then (decision 42). A start date that is past by now counts as now.
 * @param plan undefined when the merchant has none with the ordered id
 * @param how.paid true when a payment begins it
 * @throws what `offerOf` and `nextCharge` throw
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
  const offer = offerOf(plan, currency)
  const { price, periods } = offer
  // The amount of a payment has them in it.
  const debt = paid ? NO_DEBT : (offer.setup_fees[currency] ?? NO_DEBT)
  nextCharge({ price, quantity, items, debt })
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
    next_at: periodStart(anchor, offer, periodCount),
  }
}

/** True when every period is paid; one that lasts for ever never is. */
export const isPaid = (totalPeriods: number, periodCount: number): boolean =>
  totalPeriods > 0 && periodCount >= totalPeriods

/**
 * Periods still to be paid; 0 for one that lasts for ever, because clients need a number (observed:
 * 7.6).
 */
export const periodsLeft = (totalPeriods: number, periodCount: number): number =>
  Math.max(totalPeriods - periodCount, 0)
