import type { Plan, WirePrices } from '../contract/wire.ts'
import { formatAmount } from '../domain/money/money.ts'
import type { Prices } from '../domain/subscription/plan.ts'
import type { PlanRow } from '../storage/tables/plans.ts'
import { wireTime } from './time.ts'

export const presentPlan = (row: PlanRow): Plan => ({
  id: row.id,
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
  merchant_id: row.merchant_id,
  name: row.name,
  description: row.description,
  interval: row.interval,
  interval_unit: row.interval_unit,
  periods: row.periods,
  prices: presentPrices(row.prices),
  setup_fees: presentPrices(row.setup_fees),
  trial_length: row.trial_length,
  status: row.status,
})

function presentPrices(prices: Prices): WirePrices {
  return Object.fromEntries(
    Object.entries(prices).map(([currency, amount]) => [currency, formatAmount(amount)]),
  )
}
