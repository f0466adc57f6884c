import type { ChargedCard } from '../cards/payment-card.ts'
import type { Notice } from '../domain/notices.ts'
import {
  beginSubscription,
  type NewSubscription,
  type SubscriptionOrderParts,
} from '../domain/subscription/subscription.ts'
import { findRow, insertRow } from '../storage/rows.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'
import type { PaymentSettlement } from './result.ts'

/**
 * Creates the columns of a subscription order, which are stored until the transaction is paid. An
 * order implies store_card, because only a stored card can be charged again (our decision).
 */
export const createPlanOrder = (
  plan_id: number,
  { startDate, quantity = 1, items = [] }: Partial<SubscriptionOrderParts> = {},
) => ({
  plan_id,
  start_date: startDate ?? null,
  subscription_quantity: quantity,
  subscription_items: items,
  store_card: true,
})

/** Parameters that have an effect only together with a plan. */
const PLAN_PARAMETERS: readonly string[] = [
  'start_date',
  'subscription_quantity',
  'subscription_items',
]

export const needsPlan = (name: string): boolean => PLAN_PARAMETERS.includes(name)

/**
 * Returns the subscription that paying this transaction starts; undefined if no plan was ordered.
 * It runs before the charge, so that no payer pays for an unavailable plan. A payment of 0.00 pays
 * no period.
 * @throws the errors of `beginSubscription`
 */
export async function planSubscription(
  { queries, now }: Work,
  row: NewTransactionRow,
): Promise<NewSubscription | undefined> {
  if (!row.plan_id) return undefined
  const plan = await findRow(queries, 'plans', row.merchant_id, row.plan_id)
  const order = {
    startDate: row.start_date ?? undefined,
    quantity: row.subscription_quantity ?? 1,
    items: row.subscription_items ?? [],
  }
  return beginSubscription(plan, order, { currency: row.currency, paid: row.amount !== 0, now })
}

/**
 * After an approved payment: creates the ordered subscription, with the card that the payment
 * stored and the transaction's metadata (observed: 10.4). If no card was stored, there is no
 * subscription, because nothing could be charged again, and the log says so (specification: the
 * caller must check for it).
 * @returns the transaction, with its subscription
 */
export async function settleSubscription(
  { queries, now }: Work,
  row: TransactionRow,
  card: ChargedCard | undefined,
  ordered: NewSubscription | undefined,
): Promise<PaymentSettlement> {
  if (!row.plan_id) return { row, events: [] }
  if (!ordered || !card || row.stored_card_id === null)
    return { row, events: [{ event: 'not_subscribed', plan_id: row.plan_id }] }
  const { id } = await insertRow(queries, 'subscriptions', {
    ...ordered,
    merchant_id: row.merchant_id,
    customer_id: row.customer_id,
    stored_card_id: row.stored_card_id,
    metadata: row.metadata,
    test: row.test,
    created_at: now,
    updated_at: now,
  })
  return {
    row: (await updateTransaction(queries, row, { subscription_id: id })) ?? row,
    events: [],
  }
}

/** Notices a paid plan that started no subscription. */
export const noticeSubscription = (
  ordered: NewSubscription | undefined,
  { status, subscription_id }: TransactionRow,
): readonly Notice[] =>
  ordered && subscription_id === null && (status === 'approved' || status === 'authorized')
    ? [{ code: 'subscription.not_created', facts: {} }]
    : []
