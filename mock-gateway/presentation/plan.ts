import type { Plan, WirePrices } from '../contract/plan.ts'
import { formatAmount, hundredths } from '../domain/money.ts'
import type { PlanRow } from '../storage/plans.ts'
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

function presentPrices(json: string): WirePrices {
  const prices = Object.entries(JSON.parse(json) as Record<string, number>)
  return Object.fromEntries(prices.map(([currency, amount]) => [currency, formatAmount(hundredths(amount))]))
}
