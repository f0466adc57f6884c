import type { NewSubscription } from '../domain/subscription.ts'
import type { Happening } from '../events/happenings.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { Work } from '../storage/work.ts'
import type { Charge } from './charge.ts'
import { settleCard } from './settle-card.ts'
import { settleSubscription } from './subscribe.ts'

/** A transaction after what followed from its payment, and what of that its log is to tell. */
export interface Settled {
  readonly row: TransactionRow
  readonly happenings: readonly Happening[]
}

/**
 * What follows from a payment, in the same database transaction: the card is stored, then the subscription begins.
 * Nothing follows from a payment that was refused, or that the payer has yet to answer.
 * @param ordered what `orderedSubscription` gave before the payment
 */
export async function settle(
  work: Work,
  row: TransactionRow,
  charged: Charge,
  ordered: NewSubscription | undefined,
): Promise<Settled> {
  if (charged.answer.kind !== 'approved') return { row, happenings: [] }
  const stored = await settleCard(work, row, charged)
  const subscribed = await settleSubscription(work, stored.row, charged, ordered)
  return { row: subscribed.row, happenings: [...stored.happenings, ...subscribed.happenings] }
}
