import { isSent, type Parameters, text } from '../domain/parameters.ts'
import { beginSubscription, type NewSubscription, readSubscriptionOrder } from '../domain/subscription.ts'
import { findRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { insertSubscription } from '../storage/subscriptions.ts'
import { type NewTransactionRow, type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
import { notSubscribedStep } from './log-events.ts'
import type { Settled } from './payments.ts'

/** What a transaction keeps of the plan it subscribes its payer to, until it is paid. */
type OrderColumns = Pick<TransactionRow, 'plan_id' | 'start_date' | 'subscription_quantity' | 'subscription_items'>

const NO_ORDER: OrderColumns = {
  plan_id: null,
  start_date: null,
  subscription_quantity: null,
  subscription_items: null,
}

/**
 * The order in a request; all null when it names no plan. To be charged again a card must be stored, so an order implies
 * store_card (our decision).
 * @throws what `readSubscriptionOrder` throws
 */
export function orderColumns(parameters: Parameters, now: number): OrderColumns & { store_card?: true } {
  const order = readSubscriptionOrder(parameters, 'transaction', now)
  if (!order) return NO_ORDER
  return {
    plan_id: order.planId,
    start_date: order.startDate ?? null,
    subscription_quantity: order.quantity,
    subscription_items: order.items,
    store_card: true,
  }
}

/** The columns of an order that an update may change one at a time; they are called like their parameters. */
const CHANGEABLE = ['start_date', 'subscription_quantity', 'subscription_items'] as const

/** True for a parameter that means something only together with a plan. */
export const isOfOrder = (name: string): boolean => CHANGEABLE.some((changeable) => changeable === name)

/**
 * What an update changes of the order: a plan it names is ordered anew with all that belongs to it, otherwise what it
 * sends changes the order there is. Without one it means nothing, as when creating.
 * @throws what `readSubscriptionOrder` throws
 */
export function changedOrder(
  { plan_id }: TransactionRow,
  parameters: Parameters,
  now: number,
): Partial<OrderColumns> & { store_card?: true } {
  if (text(parameters, 'plan_id') !== undefined) return orderColumns(parameters, now)
  if (plan_id === null) return {}
  const ordered = orderColumns({ ...parameters, plan_id: String(plan_id) }, now)
  const sent = CHANGEABLE.filter((name) => isSent(parameters, name))
  return Object.fromEntries(sent.map((name) => [name, ordered[name]]))
}

/**
 * The subscription that paying this transaction begins; undefined when no plan was ordered. Asked before the bank is, so
 * that nobody pays for a plan that cannot be had.
 * @throws what `beginSubscription` throws
 */
export async function orderedSubscription(
  queries: Queries,
  row: Readonly<NewTransactionRow>,
  now: number,
): Promise<NewSubscription | undefined> {
  if (!row.plan_id) return undefined
  const plan = await findRow(queries, 'plans', row.merchant_id, row.plan_id)
  const order = {
    startDate: row.start_date ?? undefined,
    quantity: row.subscription_quantity ?? 1,
    items: row.subscription_items ?? [],
  }
  return beginSubscription(plan, order, { currency: row.currency, paid: true, now })
}

/**
 * After a payment: makes the subscription that was ordered, on the card that was stored by paying, with the metadata of
 * the transaction (observed: 10.4). Nothing is made of a payment that was refused; of one that left no stored card
 * neither, since nothing could be charged again, and the log says so (specification: the caller must check for it).
 * @returns the transaction, with its subscription
 */
export async function settleSubscription(
  queries: Queries,
  row: TransactionRow,
  { card, refusal }: Charge,
  ordered: NewSubscription | undefined,
  now: number,
): Promise<Settled> {
  if (!ordered || refusal || row.status === 'pending') return { row, steps: [] }
  if (!card || row.stored_card_id === null) return { row, steps: [notSubscribedStep(ordered.plan_id)] }
  const { id } = await insertSubscription(queries, {
    ...ordered,
    merchant_id: row.merchant_id,
    customer_id: row.customer_id,
    stored_card_id: row.stored_card_id,
    metadata: row.metadata,
    test: row.test,
    created_at: now,
    updated_at: now,
  })
  return { row: (await updateTransaction(queries, row, { subscription_id: id })) ?? row, steps: [] }
}

/** Tells the integrator when a plan was ordered and paid, and yet nobody subscribes. */
export const subscriptionNote = (ordered: NewSubscription | undefined, { status, subscription_id }: TransactionRow) =>
  ordered && subscription_id === null && (status === 'approved' || status === 'authorized')
    ? 'There is no subscription: only a card that was stored can be charged again'
    : undefined
