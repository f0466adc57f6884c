import { GatewayError } from '../domain/errors/errors.ts'
import { mergeMetadata } from '../domain/order/metadata.ts'
import { requireOffer } from '../domain/subscription/plan.ts'
import { calculateNextCharge, isPaid, readDebt } from '../domain/subscription/subscription.ts'
import { findRow, holdRow, updateRow } from '../storage/rows.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { UpdateSubscription } from './commands.ts'
import { requireChargeableCard } from './payer-card.ts'
import { createNotFoundError } from './subscriptions.ts'

/** Requested changes; values that the subscription already has are not changes. */
interface SubscriptionUpdate {
  readonly status: SubscriptionRow['status'] | undefined
  readonly planId: number | undefined
  readonly quantity: number | undefined
  readonly debt: SubscriptionRow['debt'] | undefined
  /** As sent. */
  readonly storedCardId: string | undefined
}

/**
 * Changes a subscription. status=cancelled ends it immediately; plan_id, quantity, debt and
 * stored_card_id take effect with the next charge; metadata is merged, also after the end
 * (observed: 6.7). A new plan counts its periods again from the next charge, without a trial. A new
 * card counts its failures again, and the customer stays (decision 49).
 * @throws errors.subscription.not_found (141), errors.status.invalid (148),
 * errors.subscription.paid (1700) for a new plan or quantity if all periods are paid,
 * errors.subscription.status_invalid (170) for anything but metadata after the end, errors.plan.*
 * (135, 1303, 1304), errors.price.missing (136), errors.amount.invalid (109),
 * errors.request.bad_format (253), errors.metadata.invalid (2091), and the errors of
 * `requireChargeableCard`
 */
export const changeSubscription = (
  work: OpenWork,
  command: UpdateSubscription,
): Promise<SubscriptionRow> =>
  work.write(async (steps) => {
    const { queries, merchant, now } = steps
    const subscription = await holdRow(queries, 'subscriptions', merchant.id, command.id, now)
    if (!subscription) throw createNotFoundError()
    const wanted = listChanges(subscription, command)
    refuseStopped(subscription, wanted)
    const { metadata } = command.readMetadata()
    const changed = {
      ...(await planColumns(steps, subscription, wanted)),
      ...(await createCardColumns(steps, subscription, wanted)),
      status: wanted.status ?? subscription.status,
      quantity: wanted.quantity ?? subscription.quantity,
      debt: wanted.debt ?? subscription.debt,
      metadata: metadata ? mergeMetadata(subscription.metadata, metadata) : subscription.metadata,
    }
    calculateNextCharge({ ...subscription, ...changed })
    return updateRow(queries, 'subscriptions', subscription.id, changed)
  })

function listChanges(
  subscription: SubscriptionRow,
  command: UpdateSubscription,
): SubscriptionUpdate {
  const sent = command.readChanges()
  const unless = <T>(known: T, wanted: T | undefined) => (wanted === known ? undefined : wanted)
  return {
    status: unless(subscription.status, sent.status),
    planId: unless(subscription.plan_id, sent.planId),
    quantity: unless(subscription.quantity, sent.quantity),
    debt: unless(subscription.debt, readDebt(sent.debt, subscription.currency)),
    storedCardId: unless(String(subscription.stored_card_id), sent.storedCardId),
  }
}

function refuseStopped(
  read: SubscriptionRow,
  { status, planId, quantity, debt, storedCardId }: SubscriptionUpdate,
) {
  const newTerms = planId !== undefined || quantity !== undefined
  if (newTerms && isPaid(read.total_periods, read.period_count))
    throw new GatewayError('errors.subscription.paid', {
      explain: `All ${read.total_periods} periods are paid, so only metadata can change.`,
    })
  const changes = newTerms || [status, debt, storedCardId].some((wanted) => wanted !== undefined)
  if (read.status === 'cancelled' && changes)
    throw new GatewayError('errors.subscription.status_invalid', {
      explain: 'The subscription is cancelled, so only metadata can change.',
    })
}

/** Returns the columns that a new plan changes; empty if the plan stays. */
async function planColumns(
  { queries }: Work,
  subscription: SubscriptionRow,
  { planId }: SubscriptionUpdate,
) {
  if (planId === undefined) return {}
  const plan = await findRow(queries, 'plans', subscription.merchant_id, planId)
  const { id, price, interval, interval_unit, periods } = requireOffer(plan, subscription.currency)
  return {
    plan_id: id,
    price,
    interval,
    interval_unit,
    total_periods: periods,
    period_count: 0,
    anchor_at: subscription.next_at,
    period_index: 0,
    attempts: 0,
  }
}

/** Returns the columns that a new card changes; empty if the card stays. */
async function createCardColumns(
  work: Work,
  subscription: SubscriptionRow,
  { storedCardId }: SubscriptionUpdate,
) {
  if (storedCardId === undefined) return {}
  const { id } = await requireChargeableCard(work, storedCardId, subscription.test)
  return { stored_card_id: id, retry_count: 0 }
}
