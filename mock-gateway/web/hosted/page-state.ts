import type { TransactionStatus } from '../../contract/wire.ts'
import type { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { parsePayableAmount } from '../../domain/money/money.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { STATES } from '../../domain/order/states.ts'
import { isAwaitingPayer, isPageExpired, isUsedUp } from '../../payments/on-page.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'

/** Why a payment can no longer be paid. */
export type PageEnd = 'expired' | 'used up' | 'unpayable' | 'link over'

/** State of a payment's page: the transaction's status, or why the page differs from it. */
export type PageState = TransactionStatus | 'waiting' | PageEnd

/**
 * @param now epoch milliseconds
 * @param linkEnd how the payment's link has ended
 */
export function decidePageState(
  row: TransactionRow,
  merchant: Merchant,
  now: number,
  linkEnd?: LinkEnd,
): PageState {
  if (linkEnd && STATES[row.status].payable) return 'link over'
  // A payer who is answering in an app keeps the time and the attempt.
  if (isAwaitingPayer(row)) return 'waiting'
  if (isPageExpired(row, now)) return 'expired'
  if (isUsedUp(row, merchant)) return 'used up'
  return STATES[row.status].payable && refusalOfAmount(row) ? 'unpayable' : row.status
}

/** Returns why the order cannot be paid; undefined if it can. A plan may cost nothing now. */
export function refusalOfAmount(row: TransactionRow): GatewayError | undefined {
  const hasPlan = row.plan_id !== null || listOfferedPlans(row).length > 0
  const amount = parsePayableAmount(row.amount_text, row.currency, hasPlan ? 0 : 1)
  return amount.ok ? undefined : amount.refusal
}

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
