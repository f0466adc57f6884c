import type { NewSubscription } from '../domain/subscription.ts'
import type { Queries } from '../storage/schema.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
import type { Payments, Settled } from './payments.ts'
import { settleStoredCard } from './store-card.ts'
import { settleSubscription } from './subscribe.ts'

/**
 * What follows from a payment, in the same database transaction: the card is stored, then the subscription begins.
 * @param ordered what `orderedSubscription` gave before the payment
 * @returns the transaction as it is after that, and the steps for its log
 */
export async function settle(
  payments: Payments,
  queries: Queries,
  row: TransactionRow,
  charged: Charge,
  ordered: NewSubscription | undefined,
): Promise<Settled> {
  const stored = await settleStoredCard(payments, queries, row, charged)
  const subscribed = await settleSubscription(queries, stored.row, charged, ordered, payments.ambient.now())
  return { row: subscribed.row, steps: [...stored.steps, ...subscribed.steps] }
}
