import { sql } from 'kysely'
import type { Queries } from './tables/schema.ts'
import type { SubscriptionRow } from './tables/subscriptions.ts'
import type { TransactionRow } from './tables/transactions.ts'
import type { WebhookDeliveryRow } from './tables/webhook-deliveries.ts'

/** Rows of each table that the overview counts: the newest. */
export const OVERVIEW_ROWS = 1000

export type PaymentHead = Pick<TransactionRow, 'created_at' | 'status'>
export type DeliveryState = Pick<WebhookDeliveryRow, 'created_at' | 'status' | 'attempts'>

/** Reads time and status of a merchant's newest payments by its clock, the newest first. */
export const findNewestPayments = (queries: Queries, merchantId: number): Promise<PaymentHead[]> =>
  queries
    .selectFrom('transactions')
    .select(['created_at', 'status'])
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(OVERVIEW_ROWS))
    .execute()

/**
 * Finds the newest reservations whose capture the bank declined later.
 * @param payments newest payments: only these are searched
 */
export async function findFailedCaptures(
  queries: Queries,
  merchantId: number,
  payments: readonly PaymentHead[],
  most: number,
): Promise<Pick<TransactionRow, 'id'>[]> {
  const failed = payments.findLast(({ status }) => status === 'failed')
  if (!failed) return []
  return queries
    .selectFrom('transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('created_at', '>=', failed.created_at)
    .where('status', '=', 'failed')
    .where('org_auth_amount', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(most))
    .execute()
}

/** Finds active subscriptions whose last charge failed, among the newest. */
export const findUnpaidSubscriptions = (
  queries: Queries,
  merchantId: number,
  most: number,
): Promise<Pick<SubscriptionRow, 'id' | 'retry_count'>[]> =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('subscriptions')
        .select(['id', 'status', 'retry_count'])
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(sql.lit(OVERVIEW_ROWS))
        .as('newest'),
    )
    .select(['id', 'retry_count'])
    .where('status', '=', 'active')
    .where('retry_count', '>', 0)
    .orderBy('id', 'desc')
    .limit(sql.lit(most))
    .execute()

/** Reads the destinations of a merchant's failed webhooks and mails, the newest first. */
export const findFailedTargets = (
  queries: Queries,
  merchantId: number,
): Promise<Pick<WebhookDeliveryRow, 'id' | 'url'>[]> =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('webhook_deliveries')
        .select(['id', 'status', 'url'])
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(sql.lit(OVERVIEW_ROWS))
        .as('newest'),
    )
    .select(['id', 'url'])
    .where('status', 'in', ['dead', 'failed'])
    .orderBy('id', 'desc')
    .execute()

/**
 * Counts the rejected requests among a merchant's newest.
 * @param others names of errors that do not count
 */
export async function countRejected(
  queries: Queries,
  merchantId: number,
  others: readonly string[],
): Promise<number> {
  const { count } = await queries
    .selectFrom((from) =>
      from
        .selectFrom('requests')
        .select('error')
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(sql.lit(OVERVIEW_ROWS))
        .as('newest'),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('error', 'is not', null)
    .where('error', 'not in', others)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Reads when a merchant's newest webhooks and mails were caused and how they are, the newest first.
 */
export const findNewestDeliveryStates = (
  queries: Queries,
  merchantId: number,
): Promise<DeliveryState[]> =>
  queries
    .selectFrom('webhook_deliveries')
    .select(['created_at', 'status', 'attempts'])
    .where('merchant_id', '=', merchantId)
    .orderBy('id', 'desc')
    .limit(sql.lit(OVERVIEW_ROWS))
    .execute()
