import type { Insertable, Selectable } from 'kysely'
import type { IntervalUnit, Item, SubscriptionStatus } from '../../contract/wire.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import type { Hundredths } from '../../domain/money/money.ts'
import { FLAG, type Id, JSON_TEXT, tableCodec } from './codec.ts'

/** The plan's terms as they were when the subscription began, and how far it has come. */
export interface SubscriptionTable {
  id: Id
  merchant_id: number
  plan_id: number
  customer_id: number | null
  stored_card_id: number
  status: SubscriptionStatus
  currency: Currency
  /** For one period and a quantity of one. */
  price: Hundredths
  quantity: number
  /** Items of every charge. */
  items: readonly Item[]
  /** Added to the next charge or, if negative, subtracted. */
  debt: Hundredths
  interval: number
  interval_unit: IntervalUnit
  /** 0: no end. */
  total_periods: number
  /** Periods paid. */
  period_count: number
  /** Failures since the last success. */
  retry_count: number
  /** When it began, before any trial. */
  start_date: number
  /** Start of the first period: all others are counted from here. */
  anchor_at: number
  /** Number of the period that is charged next; unpaid periods count. */
  period_index: number
  /** Failed tries to charge that period. */
  attempts: number
  /** When it is tried next. */
  next_at: number
  metadata: JsonObject | null
  test: boolean
  created_at: number
  updated_at: number
}

export type SubscriptionRow = Selectable<SubscriptionTable>
export type NewSubscriptionRow = Omit<Insertable<SubscriptionTable>, 'id'>

export const subscriptionCodec = tableCodec<SubscriptionTable>({
  items: JSON_TEXT,
  metadata: JSON_TEXT,
  test: FLAG,
})
