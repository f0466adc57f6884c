import { GatewayError } from '../domain/errors/errors.ts'
import { unwrap } from '../domain/parsed.ts'
import { beginSubscription } from '../domain/subscription/subscription.ts'
import { findRow } from '../storage/rows.ts'
import { findOwnerId } from '../storage/stored-cards.ts'
import { insertSubscription, updateSubscription } from '../storage/subscriptions.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { chargePeriod } from './charge-due.ts'
import type { CreateSubscription } from './commands.ts'
import { payerCard } from './payer-card.ts'

/**
 * Begins a subscription on a card that is already stored, in the currency of the card (observed:
 * 6.7). When its first period begins at once, that is charged too, paid or not, so that the answer
 * is what anybody sees afterwards.
 * @throws what `payerCard` and `beginSubscription` throw
 */
export const createSubscription = (
  work: OpenWork,
  command: CreateSubscription,
): Promise<SubscriptionRow> =>
  work.write(async (steps) => {
    const { queries, merchant, now } = steps
    const { order, metadata } = command
    const plan = await findRow(queries, 'plans', merchant.id, order.planId)
    const card = await payerCard(steps, unwrap(command.payer), plan?.prices ?? {})
    const begun = beginSubscription(plan, order, { currency: card.currency, paid: false, now })
    const row = await insertSubscription(queries, {
      ...begun,
      merchant_id: merchant.id,
      customer_id: await findOwnerId(queries, card),
      stored_card_id: card.id,
      metadata: metadata ?? null,
      test: card.test,
      created_at: now,
      updated_at: now,
    })
    return row.next_at > now ? row : (await chargePeriod(steps, row)).subscription
  })

/**
 * Stops a subscription; one that is stopped already stays so.
 * @throws errors.subscription.not_found (141)
 */
export const cancelSubscription = (
  work: OpenWork,
  id: number | undefined,
): Promise<SubscriptionRow> =>
  work.write(async (steps) => {
    const read = await needSubscription(steps, id)
    return updateSubscription(steps.queries, read.id, {
      status: 'cancelled',
      updated_at: steps.now,
    })
  })

/** @throws errors.subscription.not_found (141) */
export async function needSubscription(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<SubscriptionRow> {
  const row = await findRow(queries, 'subscriptions', merchant.id, id)
  if (row) return row
  throw subscriptionNotFound()
}

export const subscriptionNotFound = () =>
  new GatewayError('errors.subscription.not_found', {
    explain: 'The merchant has no subscription with this id',
  })
