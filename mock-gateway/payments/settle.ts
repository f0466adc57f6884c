import type { NewSubscription } from '../domain/subscription.ts'
import type { Queries } from '../storage/schema.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
import type { Payments } from './payments.ts'
import { settleStoredCard } from './store-card.ts'
import { settleSubscription } from './subscribe.ts'

/**
 * What follows from a payment, in the same database transaction: the card is stored, then the subscription begins.
 * @param ordered what `orderedSubscription` gave before the payment
 * @returns the transaction as it is after that
 */
export async function settle(
  payments: Payments,
  queries: Queries,
  row: TransactionRow,
  charged: Charge,
  ordered: NewSubscription | undefined,
): Promise<TransactionRow> {
  const settled = await settleStoredCard(payments, queries, row, charged)
  return settleSubscription(queries, settled, charged, ordered, payments.ambient.now())
}
