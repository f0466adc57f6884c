import type { IntervalUnit, Item, PlanStatus, SubscriptionStatus } from '../../contract/wire.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import type { Prices } from '../../domain/subscription/plan.ts'
import {
  amount,
  flag,
  id,
  integer,
  json,
  key,
  listed,
  moment,
  type NewRowOf,
  nullable,
  type RowOf,
  reference,
  text,
} from './columns.ts'

/** The columns of `plans`. */
export const planColumns = {
  id: listed(key()),
  merchant_id: reference('merchants'),
  name: listed(text()),
  description: text(),
  interval: listed(integer()),
  interval_unit: listed(text<IntervalUnit>(), 'word'),
  prices: json<Prices>(),
  setup_fees: json<Prices>(),
  /** 0: no end. */
  periods: listed(integer()),
  /** Days. */
  trial_length: listed(integer()),
  status: listed(text<PlanStatus>(), 'word'),
  created_at: listed(moment()),
  updated_at: listed(moment()),
}

export type PlanRow = RowOf<typeof planColumns>
export type NewPlanRow = NewRowOf<typeof planColumns>

/**
 * The columns of `subscriptions`: the plan's terms as they were when the subscription started, and
 * its progress.
 */
export const subscriptionColumns = {
  id: listed(key()),
  merchant_id: reference('merchants'),
  plan_id: listed(reference('plans')),
  customer_id: listed(nullable(id())),
  stored_card_id: listed(reference('stored_cards')),
  status: listed(text<SubscriptionStatus>(), 'word'),
  currency: text<Currency>(),
  /** Price of one period for a quantity of one. */
  price: listed(amount()),
  quantity: integer(),
  /** Items of every charge. */
  items: json<readonly Item[]>(),
  /** Added to the next charge or, if negative, subtracted. */
  debt: amount(),
  interval: integer(),
  interval_unit: text<IntervalUnit>(),
  /** 0: no end. */
  total_periods: integer(),
  /** Periods paid. */
  period_count: integer(),
  /** Failures since the last success. */
  retry_count: integer(),
  /** Start of the subscription, before a trial. */
  start_date: moment(),
  /** Start of the first period, from which the other periods are counted. */
  anchor_at: moment(),
  /** Number of the period that is charged next; unpaid periods count. */
  period_index: integer(),
  /** Failed attempts to charge that period. */
  attempts: integer(),
  /** Time of the next charge. */
  next_at: listed(moment()),
  metadata: nullable(json<JsonObject>()),
  test: flag(),
  created_at: listed(moment()),
  updated_at: listed(moment()),
}

export type SubscriptionRow = RowOf<typeof subscriptionColumns>
export type NewSubscriptionRow = NewRowOf<typeof subscriptionColumns>

/**
 * An attempt to charge a period of a subscription. The index over period and attempt prevents a
 * duplicate.
 */
export const subscriptionChargeColumns = {
  id: key(),
  subscription_id: reference('subscriptions'),
  /** Start of the period. */
  period_at: moment(),
  /** Number of the attempt, from 1. */
  attempt: integer(),
  /** Amount due; zero or less was not charged. */
  amount: amount(),
  /** Transaction of the charge; null if nothing was due. */
  transaction_id: nullable(reference('transactions')),
  created_at: moment(),
}

export type SubscriptionChargeRow = RowOf<typeof subscriptionChargeColumns>
