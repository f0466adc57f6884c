import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { atMost } from './due.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import type { SubscriptionChargeRow } from './tables/subscriptions.ts'

/** Finds the newest attempts to charge a subscription, newest first. */
export async function findNewestCharges(
  queries: Queries,
  subscriptionId: number,
  most: number,
): Promise<SubscriptionChargeRow[]> {
  const rows = await queries
    .selectFrom('subscription_charges')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .orderBy('period_at', 'desc')
    .orderBy('attempt', 'desc')
    .limit(atMost(most))
    .execute()
  return rows.map((row) => CODECS.subscription_charges.decode(row))
}

/**
 * Returns the ids of a subscription's payments that charged none of its periods: the first
 * payments.
 */
export async function findFirstPayments(
  queries: Queries,
  subscriptionId: number,
): Promise<number[]> {
  const rows = await queries
    .selectFrom('transactions')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('transaction_type', '<>', PAYMENT_METHODS.recurring.transactionType)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
