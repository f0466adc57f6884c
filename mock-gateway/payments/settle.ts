import type { NewSubscription } from '../domain/subscription/subscription.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { Work } from '../storage/work.ts'
import type { Settling } from './charge.ts'
import type { Settled } from './result.ts'
import { settleCard } from './settle-card.ts'
import { settleSubscription } from './subscribe.ts'

/**
 * What follows from a payment, in the same database transaction: the card is stored, then the subscription begins.
 * Nothing follows from a payment that was refused, or that the payer has yet to answer.
 * @param ordered what `orderedSubscription` gave before the payment
 */
export async function settle(
  work: Work,
  row: TransactionRow,
  charged: Settling,
  ordered: NewSubscription | undefined,
): Promise<Settled> {
  if (charged.answer.kind !== 'approved') return { row, happenings: [] }
  const stored = await settleCard(work, row, charged)
  const subscribed = await settleSubscription(work, stored.row, charged, ordered)
  return { row: subscribed.row, happenings: [...stored.happenings, ...subscribed.happenings] }
}
