import type { Locale } from '../../domain/language/languages.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { NOTHING } from '../../domain/money/money.ts'
import { moneyText } from '../../domain/money/money-text.ts'
import type { PlanRow } from '../../storage/tables/plans.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { TEXTS } from './texts.ts'

/** Maximum number of cards, and of plans, on a page (our decision). */
export const MOST_CHOICES = 10

/**
 * Lists the plans in `metadata.plans`, which the merchant offers if it has not chosen one itself
 * (our decision).
 */
export function listOfferedPlans({
  plan_id,
  metadata,
}: Pick<TransactionRow, 'plan_id' | 'metadata'>): number[] {
  const listed = metadata?.plans
  if (plan_id !== null || !Array.isArray(listed)) return []
  const ids = listed.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  return [...new Set(ids)].slice(0, MOST_CHOICES)
}

/** Describes a plan for the payer: price and interval. */
export function describePlan(
  { id, name, description, prices, interval, interval_unit }: PlanRow,
  currency: Currency,
  locale: Locale,
) {
  const words = TEXTS[locale].intervals[interval_unit]
  return {
    id,
    name,
    description,
    price: moneyText(prices[currency] ?? NOTHING, currency, locale),
    interval: interval === 1 ? words.one : words.many(interval),
  }
}
