import type { Insertable, Selectable } from 'kysely'
import type { Hundredths } from '../domain/money.ts'
import { PAYMENT_METHODS } from '../domain/payment-methods.ts'
import { type Id, tableCodec } from './codec.ts'
import { atMost } from './due.ts'
import type { Queries } from './schema.ts'

/** Each try to charge a period of a subscription: the index over period and attempt lets nobody charge one twice. */
export interface SubscriptionChargeTable {
  id: Id
  subscription_id: number
  /** Start of the period. */
  period_at: number
  /** 1 is the first try. */
  attempt: number
  /** What was due; zero or less was not charged. */
  amount: Hundredths
  /** Null when there was nothing to charge. */
  transaction_id: number | null
  created_at: number
}

export type SubscriptionChargeRow = Selectable<SubscriptionChargeTable>

export const subscriptionChargeCodec = tableCodec<SubscriptionChargeTable>({})

/** @throws a unique violation when this try was made already */
export async function insertSubscriptionCharge(
  queries: Queries,
  row: Omit<Insertable<SubscriptionChargeTable>, 'id'>,
): Promise<void> {
  await queries.insertInto('subscription_charges').values(subscriptionChargeCodec.encode(row)).execute()
}

/** The newest tries of a subscription, newest first. */
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
  return rows.map((row) => subscriptionChargeCodec.decode(row))
}

/** Ids of the payments that a subscription began with: those that charged none of its periods. */
export async function findFirstPayments(queries: Queries, subscriptionId: number): Promise<number[]> {
  const rows = await queries
    .selectFrom('transactions')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('transaction_type', '<>', PAYMENT_METHODS.recurring.transactionType)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
