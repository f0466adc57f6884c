import { sql } from 'kysely'
import type { TransactionStatus } from '../contract/wire.ts'
import { atMost } from './due.ts'
import type { Queries } from './tables/schema.ts'
import type { SubscriptionRow } from './tables/subscriptions.ts'
import type { TransactionRow } from './tables/transactions.ts'
import type { WebhookDeliveryRow } from './tables/webhook-deliveries.ts'

/** Rows of each table that the overview counts: the newest. */
export const OVERVIEW_ROWS = 1000

/** A number of the newest payments: with one status, in one period. */
export interface PaymentCount {
  readonly status: TransactionStatus
  /** Number of the period since 1970-01-01 (UTC). */
  readonly period: number
  readonly count: number
  /** Epoch milliseconds: the time of the oldest. */
  readonly oldest: number
}

/**
 * Counts a merchant's newest payments by its clock.
 * @param step length of a period in milliseconds
 */
export async function countNewestPayments(
  queries: Queries,
  merchantId: number,
  step: number,
): Promise<PaymentCount[]> {
  const { rows } = await sql<PaymentCount>`
    select status, created_at / ${sql.lit(step)} as period, count(*) as count, min(created_at) as oldest
    from (select created_at, status from transactions where merchant_id = ${merchantId}
      order by created_at desc limit ${atMost(OVERVIEW_ROWS)}) as newest
    group by status, period`.execute(queries)
  return rows.map(({ status, ...counts }) => ({ status, ...readNumbers(counts) }))
}

/**
 * Finds the newest reservations whose capture the bank declined later.
 * @param from epoch milliseconds: only payments of this time and later are searched
 */
export const findFailedCaptures = (
  queries: Queries,
  merchantId: number,
  from: number,
  most: number,
): Promise<Pick<TransactionRow, 'id'>[]> =>
  queries
    .selectFrom('transactions')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('created_at', '>=', from)
    .where('status', '=', 'failed')
    .where('org_auth_amount', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(most))
    .execute()

/** Finds active subscriptions whose last charge failed, among the newest. */
export const findUnpaidSubscriptions = (
  queries: Queries,
  merchantId: number,
  most: number,
): Promise<Pick<SubscriptionRow, 'id' | 'retry_count' | 'next_at'>[]> =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('subscriptions')
        .select(['id', 'status', 'retry_count', 'next_at'])
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(sql.lit(OVERVIEW_ROWS))
        .as('newest'),
    )
    .select(['id', 'retry_count', 'next_at'])
    .where('status', '=', 'active')
    .where('retry_count', '>', 0)
    .orderBy('id', 'desc')
    .limit(sql.lit(most))
    .execute()

/** Webhooks and mails that failed, permanently or so far. */
const isFailing = sql<boolean>`(status in ('dead', 'failed') or status = 'pending' and attempts > 0)`

/** Finds a merchant's webhooks and mails that failed, permanently or so far, the newest first. */
export const findFailingDeliveries = (
  queries: Queries,
  merchantId: number,
): Promise<Pick<WebhookDeliveryRow, 'id' | 'url' | 'status' | 'transaction_id'>[]> =>
  queries
    .selectFrom((from) =>
      from
        .selectFrom('webhook_deliveries')
        .select(['id', 'status', 'url', 'transaction_id', 'attempts'])
        .where('merchant_id', '=', merchantId)
        .orderBy('id', 'desc')
        .limit(sql.lit(OVERVIEW_ROWS))
        .as('newest'),
    )
    .select(['id', 'url', 'status', 'transaction_id'])
    .where(isFailing)
    .orderBy('id', 'desc')
    .execute()

/** Numbers of a merchant's newest webhooks and mails in a period. */
export interface DeliveryCounts {
  readonly delivered: number
  /** Those that were delivered, and those that failed, permanently or so far. */
  readonly attempted: number
}

/** @param from epoch milliseconds: start of the period */
export async function countNewestDeliveries(
  queries: Queries,
  merchantId: number,
  from: number,
): Promise<DeliveryCounts> {
  const { rows } = await sql<DeliveryCounts>`
    select count(case when status = 'delivered' then 1 end) as delivered,
      count(case when status = 'delivered' or ${isFailing} then 1 end) as attempted
    from (select created_at, status, attempts from webhook_deliveries
      where merchant_id = ${merchantId} order by id desc limit ${atMost(OVERVIEW_ROWS)}) as newest
    where created_at >= ${from}`.execute(queries)
  return readNumbers(rows[0] as DeliveryCounts)
}

type ProblemCounts = Readonly<Record<'subscriptions' | 'requests' | 'webhooks', number>>

/**
 * Counts what needs attention: unpaid subscriptions, rejected requests, and webhooks and mails that
 * failed permanently.
 * @param others names of errors that do not count
 */
export async function countProblems(
  queries: Queries,
  merchantId: number,
  others: readonly string[],
): Promise<ProblemCounts> {
  const newest = (columns: string, table: 'subscriptions' | 'webhook_deliveries') =>
    sql`(select ${sql.raw(columns)} from ${sql.table(table)} where merchant_id = ${merchantId}
      order by id desc limit ${atMost(OVERVIEW_ROWS)}) as newest`
  const { rows } = await sql<ProblemCounts>`
    select (select count(*) from ${newest('status, retry_count', 'subscriptions')}
        where status = 'active' and retry_count > 0) as subscriptions,
      (select count(*) from requests where merchant_id = ${merchantId}
        and error is not null and error not in (${sql.join(others)})) as requests,
      (select count(*) from ${newest('status', 'webhook_deliveries')}
        where status in ('dead', 'failed')) as webhooks`.execute(queries)
  return readNumbers(rows[0] as ProblemCounts)
}

/** PostgreSQL returns counts as text. */
const readNumbers = <Counts extends object>(row: Counts): Counts =>
  Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)])) as Counts
