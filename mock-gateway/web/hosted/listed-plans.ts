import type { Locale } from '../../domain/language/languages.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { NOTHING } from '../../domain/money/money.ts'
import type { PlanRow } from '../../storage/tables/plans.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { moneyText } from '../pages/money-text.ts'
import { TEXTS } from './texts.ts'

/** Cards, and plans, that one page shows (our decision). */
export const MOST_CHOICES = 10

/**
 * The merchant asks for the choice by `metadata.plans`, a list of ids, where it has not chosen
 * itself (our decision).
 */
export function listedPlans({
  plan_id,
  metadata,
}: Pick<TransactionRow, 'plan_id' | 'metadata'>): number[] {
  const listed = metadata?.plans
  if (plan_id !== null || !Array.isArray(listed)) return []
  const ids = listed.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  return [...new Set(ids)].slice(0, MOST_CHOICES)
}

/** A plan as a payer sees it: what it costs, and how often. */
export function shownPlan(
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
