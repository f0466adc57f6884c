import type { Customer } from './customer.ts'
import type { IntervalUnit, Plan } from './plan.ts'
import type { Metadata, Reference } from './reference.ts'
import type { StoredCard } from './stored-card.ts'
import type { Item } from './transaction.ts'

/** Specification: States. A subscription whose periods are all paid is cancelled too (our decision). */
export type SubscriptionStatus = 'active' | 'cancelled'

/**
 * A payer's standing order for a plan (specification: template variables, subscription; observed: 7.6). Price, interval
 * and number of periods are the plan's as they were when it began. Money is decimal text with two decimals.
 */
export interface Subscription {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
  readonly status: SubscriptionStatus
  /** One period, for a quantity of one. */
  readonly price: string
  /** Lower case, as in transactions. */
  readonly currency: string
  readonly interval: number
  readonly interval_unit: IntervalUnit
  /** 0 is for ever. */
  readonly total_periods: number
  /** Periods paid so far. */
  readonly period_count: number
  /** Periods still to be paid; 0 also when it lasts for ever. */
  readonly periods_left: number
  /** YYYY-MM-DD: the day it began or begins, before any trial. */
  readonly start_date: string
  /** When the next charge is due, or would be if it had not been cancelled. */
  readonly next_at: string
  readonly subscription_quantity: number
  /** The same number, as templates call it. */
  readonly multiplier: number
  /** Added to the next charge; below zero it is subtracted. */
  readonly debt: string
  /** Failures since the last success. */
  readonly retry_count: number
  readonly test: boolean
  /** Charged with every period. */
  readonly items: readonly Item[]
  readonly metadata: Metadata | null
  readonly plan: Reference | Plan
  readonly customer: Reference | Customer | null
  readonly stored_card: Reference | StoredCard | null
}
