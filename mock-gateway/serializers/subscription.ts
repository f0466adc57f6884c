import type { Subscription } from '../contract/wire.ts'
import { formatAmount } from '../domain/money/money.ts'
import { periodsLeft } from '../domain/subscription/subscription.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import { BY_ID, type References } from './references.ts'
import { wireTime } from './time.ts'

export const presentSubscription = (
  row: SubscriptionRow,
  references: References = BY_ID,
): Subscription => ({
  id: row.id,
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
  status: row.status,
  price: formatAmount(row.price),
  currency: row.currency,
  interval: row.interval,
  interval_unit: row.interval_unit,
  total_periods: row.total_periods,
  period_count: row.period_count,
  periods_left: periodsLeft(row.total_periods, row.period_count),
  start_date: wireTime(row.start_date).slice(0, 10),
  next_at: wireTime(row.next_at),
  subscription_quantity: row.quantity,
  multiplier: row.quantity,
  debt: formatAmount(row.debt),
  retry_count: row.retry_count,
  test: row.test,
  items: row.items,
  metadata: row.metadata,
  plan: references.plan(row.plan_id),
  customer: references.customer(row.customer_id),
  stored_card: references.stored_card(row.stored_card_id),
})
