import type { Insertable, Selectable, Updateable } from 'kysely'
import type { IntervalUnit } from '../contract/plan.ts'
import type { SubscriptionStatus } from '../contract/subscription.ts'
import type { Flag, Id } from './codec.ts'
import type { Queries } from './schema.ts'

/** The plan's terms as they were when the subscription began, and how far it has come. */
export interface SubscriptionTable {
  id: Id
  merchant_id: number
  plan_id: number
  customer_id: number | null
  stored_card_id: number
  status: SubscriptionStatus
  currency: string
  /** Hundredths for one period and a quantity of one. */
  price: number
  quantity: number
  /** JSON list of the items that every charge adds. */
  items: string
  /** Hundredths that the next charge adds, or, below zero, subtracts. */
  debt: number
  interval: number
  interval_unit: IntervalUnit
  /** 0 is for ever. */
  total_periods: number
  /** Periods paid. */
  period_count: number
  /** Failures since the last success. */
  retry_count: number
  /** When it began, before any trial. */
  start_date: number
  /** Start of the first period: all others are counted from here. */
  anchor_at: number
  next_at: number
  metadata: string | null
  test: Flag
  created_at: number
  updated_at: number
}

export type SubscriptionRow = Selectable<SubscriptionTable>

export function insertSubscription(queries: Queries, row: Insertable<SubscriptionTable>): Promise<SubscriptionRow> {
  return queries.insertInto('subscriptions').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateSubscription(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<SubscriptionTable>, 'id' | 'merchant_id'>,
): Promise<SubscriptionRow> {
  return queries.updateTable('subscriptions').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}
