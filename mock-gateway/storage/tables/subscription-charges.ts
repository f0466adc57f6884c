import type { Selectable } from 'kysely'
import type { Hundredths } from '../../domain/money/money.ts'
import { type Id, tableCodec } from './codec.ts'

/**
 * An attempt to charge a period of a subscription. The index over period and attempt prevents a
 * duplicate.
 */
export interface SubscriptionChargeTable {
  id: Id
  subscription_id: number
  /** Start of the period. */
  period_at: number
  /** Number of the attempt, from 1. */
  attempt: number
  /** Amount due; zero or less was not charged. */
  amount: Hundredths
  /** Transaction of the charge; null if nothing was due. */
  transaction_id: number | null
  created_at: number
}

export type SubscriptionChargeRow = Selectable<SubscriptionChargeTable>

export const subscriptionChargeCodec = tableCodec<SubscriptionChargeTable>({})
