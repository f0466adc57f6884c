import { GatewayError } from '../domain/errors/errors.ts'
import { beginSubscription } from '../domain/subscription/subscription.ts'
import { findRow, insertRow, updateRow } from '../storage/rows.ts'
import { findOwnerId } from '../storage/stored-cards.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import { chargePeriod } from './charge-due.ts'
import type { CreateSubscription } from './commands.ts'
import { requirePayerCard } from './payer-card.ts'

/**
 * Starts a subscription on a stored card, in the card's currency (observed: 6.7). If its first
 * period starts immediately, the period is charged too, so that the answer shows the same as a
 * later GET.
 * @throws the errors of `requirePayerCard` and `beginSubscription`
 */
export const createSubscription = (
  work: OpenWork,
  command: CreateSubscription,
): Promise<SubscriptionRow> =>
  work.write(async (steps) => {
    const { queries, merchant, now } = steps
    const { order, metadata } = command
    const plan = await findRow(queries, 'plans', merchant.id, order.planId)
    const card = await requirePayerCard(steps, command.readPayer(), plan?.prices ?? {})
    const created = beginSubscription(plan, order, { currency: card.currency, paid: false, now })
    const row = await insertRow(queries, 'subscriptions', {
      ...created,
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
 * Cancels a subscription; a cancelled one stays as it is.
 * @throws errors.subscription.not_found (141)
 */
export const cancelSubscription = (
  work: OpenWork,
  id: number | undefined,
): Promise<SubscriptionRow> =>
  work.write(async (steps) => {
    const subscription = await requireSubscription(steps, id)
    return updateRow(steps.queries, 'subscriptions', subscription.id, {
      status: 'cancelled',
      updated_at: steps.now,
    })
  })

/** @throws errors.subscription.not_found (141) */
export async function requireSubscription(
  { queries, merchant }: Work,
  id: number | undefined,
): Promise<SubscriptionRow> {
  const row = await findRow(queries, 'subscriptions', merchant.id, id)
  if (row) return row
  throw createNotFoundError()
}

export const createNotFoundError = () =>
  new GatewayError('errors.subscription.not_found', {
    explain:
      'The merchant has no subscription with this id. GET /v1/subscriptions lists its subscriptions.',
  })
