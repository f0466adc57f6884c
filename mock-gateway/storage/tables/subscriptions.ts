import type { Insertable, Selectable } from 'kysely'
import type { IntervalUnit, Item, SubscriptionStatus } from '../../contract/wire.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import {
  amount,
  codecOf,
  flag,
  id,
  integer,
  json,
  key,
  moment,
  nullable,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/**
 * The columns of `subscriptions`: the plan's terms as they were when the subscription started, and
 * its progress.
 */
export const subscriptionColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  plan_id: reference('plans'),
  customer_id: nullable(id()),
  stored_card_id: reference('stored_cards'),
  status: text<SubscriptionStatus>(),
  currency: text<Currency>(),
  /** Price of one period for a quantity of one. */
  price: amount(),
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
  next_at: moment(),
  metadata: nullable(json<JsonObject>()),
  test: flag(),
  created_at: moment(),
  updated_at: moment(),
}

type SubscriptionTable = TableOf<typeof subscriptionColumns>
export type SubscriptionRow = Selectable<SubscriptionTable>
export type NewSubscriptionRow = Omit<Insertable<SubscriptionTable>, 'id'>

export const subscriptionCodec = codecOf(subscriptionColumns)
