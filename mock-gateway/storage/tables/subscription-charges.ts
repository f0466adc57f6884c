import type { Selectable } from 'kysely'
import { amount, integer, key, moment, nullable, reference, type TableOf } from './columns.ts'

/**
 * An attempt to charge a period of a subscription. The index over period and attempt prevents a
 * duplicate.
 */
export const subscriptionChargeColumns = {
  id: key(),
  subscription_id: reference('subscriptions'),
  /** Start of the period. */
  period_at: moment(),
  /** Number of the attempt, from 1. */
  attempt: integer(),
  /** Amount due; zero or less was not charged. */
  amount: amount(),
  /** Transaction of the charge; null if nothing was due. */
  transaction_id: nullable(reference('transactions')),
  created_at: moment(),
}

type SubscriptionChargeTable = TableOf<typeof subscriptionChargeColumns>

export type SubscriptionChargeRow = Selectable<SubscriptionChargeTable>
