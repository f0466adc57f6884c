import { GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { object, type Parameters } from '../domain/parameters.ts'
import { beginSubscription, readSubscriptionOrder } from '../domain/subscription.ts'
import { findRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { findOwnerId } from '../storage/stored-cards.ts'
import { insertSubscription, type SubscriptionRow, updateSubscription } from '../storage/subscriptions.ts'
import type { Billing } from './billing.ts'
import { payerCard } from './payer-card.ts'

/**
 * Begins a subscription on a card that is already stored, in the currency of the card (observed: 6.7). Nothing is paid
 * by this call: the first charge is due when the first period begins.
 * @throws errors.plan.missing (1300), what `readSubscriptionOrder`, `payerCard` and `beginSubscription` throw
 */
export function createSubscription(
  { ambient, database }: Billing,
  merchant: Merchant,
  parameters: Parameters,
): Promise<SubscriptionRow> {
  const now = ambient.now()
  const order = readSubscriptionOrder(parameters, 'subscription', now)
  if (!order) throw new GatewayError('errors.plan.missing', { explain: 'plan_id names the plan to subscribe to' })
  const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
  return database.write(async (queries) => {
    const plan = await findRow(queries, 'plans', merchant.id, order.planId)
    const card = await payerCard(queries, merchant, parameters, plan?.prices ?? {}, now)
    const begun = beginSubscription(plan, order, { currency: card.currency, paid: false, now })
    return insertSubscription(queries, {
      ...begun,
      merchant_id: merchant.id,
      customer_id: await findOwnerId(queries, card),
      stored_card_id: card.id,
      metadata: metadata ?? null,
      test: card.test,
      created_at: now,
      updated_at: now,
    })
  })
}

/**
 * Stops a subscription; one that is stopped already stays so.
 * @throws errors.subscription.not_found (141)
 */
export function cancelSubscription(
  { ambient, database }: Billing,
  merchant: Merchant,
  id: number | undefined,
): Promise<SubscriptionRow> {
  return database.write(async (queries) => {
    const read = await needSubscription(queries, merchant, id)
    return updateSubscription(queries, read.id, { status: 'cancelled', updated_at: ambient.now() })
  })
}

/** @throws errors.subscription.not_found (141) */
export async function needSubscription(
  queries: Queries,
  merchant: Merchant,
  id: number | undefined,
): Promise<SubscriptionRow> {
  const row = await findRow(queries, 'subscriptions', merchant.id, id)
  if (row) return row
  throw subscriptionNotFound()
}

export const subscriptionNotFound = () =>
  new GatewayError('errors.subscription.not_found', { explain: 'The merchant has no subscription with this id' })
