import type { TransactionRow } from '../../storage/tables/transactions.ts'

/** Cards, and plans, that one page shows (our decision). */
export const MOST_CHOICES = 10

/** The merchant asks for the choice by `metadata.plans`, a list of ids, where it has not chosen itself (our decision). */
export function listedPlans({ plan_id, metadata }: Pick<TransactionRow, 'plan_id' | 'metadata'>): number[] {
  const listed = metadata?.plans
  if (plan_id !== null || !Array.isArray(listed)) return []
  const ids = listed.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  return [...new Set(ids)].slice(0, MOST_CHOICES)
}
