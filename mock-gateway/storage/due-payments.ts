import { atMost, type DueScope, isDue } from './due.ts'
import type { Queries } from './tables/schema.ts'

/** Pages that nobody has paid when their time is over, the first first. Who is asked elsewhere has the time of the answer. */
export async function findExpiredPages(queries: Queries, scope: DueScope, limit: number) {
  const rows = await queries
    .selectFrom('transactions')
    .select(['id', 'merchant_id', 'expires_at'])
    .where('status', '=', 'pending')
    .where('expires_at', 'is not', null)
    .where('answer_by', 'is', null)
    .where(isDue(scope, { at: 'expires_at' }))
    .orderBy('expires_at')
    .orderBy('id')
    .limit(atMost(limit))
    .execute()
  return rows.map(({ id, merchant_id, expires_at }) => ({ id, merchantId: merchant_id, at: Number(expires_at) }))
}

/** Payments whose payers are asked elsewhere and have not answered in time, the first first. */
export async function findUnanswered(queries: Queries, scope: DueScope, limit: number) {
  const rows = await queries
    .selectFrom('transactions')
    .select(['id', 'merchant_id', 'answer_by'])
    .where('status', '=', 'pending')
    .where(isDue(scope, { at: 'answer_by' }))
    .orderBy('answer_by')
    .orderBy('id')
    .limit(atMost(limit))
    .execute()
  return rows.map(({ id, merchant_id, answer_by }) => ({ id, merchantId: merchant_id, at: Number(answer_by) }))
}

/** Subscriptions whose next charge is due, the first first. */
export async function findDueCharges(queries: Queries, scope: DueScope, limit: number) {
  const rows = await queries
    .selectFrom('subscriptions')
    .select(['id', 'merchant_id', 'next_at'])
    .where('status', '=', 'active')
    .where(isDue(scope, { at: 'next_at' }))
    .orderBy('next_at')
    .orderBy('id')
    .limit(atMost(limit))
    .execute()
  return rows.map(({ id, merchant_id, next_at }) => ({ id, merchantId: merchant_id, at: next_at }))
}
