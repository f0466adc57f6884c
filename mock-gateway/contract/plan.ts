/** Length of one step of an interval (specification: subscription, interval_unit). */
export type IntervalUnit = 'days' | 'months'

/** A cancelled plan takes no new subscriptions; those it has go on (specification: States). */
export type PlanStatus = 'active' | 'cancelled'

/** Decimal text with two decimals by currency in lower case: `{ "sek": "99.00" }` (observed: 7.6). */
export type WirePrices = { readonly [currency: string]: string }

/** What payers can subscribe to (specification: template variables, plan; observed: 7.6). No field is ever null. */
export interface Plan {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
  readonly merchant_id: number
  readonly name: string
  /** May be empty. */
  readonly description: string
  /** A period lasts this many days or months. */
  readonly interval: number
  readonly interval_unit: IntervalUnit
  /** Periods until a subscription ends; 0 is for ever. */
  readonly periods: number
  /** What one period costs. */
  readonly prices: WirePrices
  /** What a merchant adds to the first payment; empty when nothing. */
  readonly setup_fees: WirePrices
  /** Days before the first charge; 0 is none. */
  readonly trial_length: number
  readonly status: PlanStatus
}
