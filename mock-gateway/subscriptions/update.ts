import { GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { mergeMetadata } from '../domain/metadata.ts'
import type { Hundredths } from '../domain/money.ts'
import { object, type Parameters, text } from '../domain/parameters.ts'
import { offerOf } from '../domain/plan.ts'
import { isPaid, nextCharge, readDebt, readPlanId, readQuantity } from '../domain/subscription.ts'
import { findRow, holdRow } from '../storage/rows.ts'
import type { Queries } from '../storage/schema.ts'
import { type SubscriptionRow, updateSubscription } from '../storage/subscriptions.ts'
import type { Billing } from './billing.ts'
import { chargeableCard } from './payer-card.ts'
import { subscriptionNotFound } from './subscriptions.ts'

/** What a request changes; a value that the subscription has already is no change. */
interface Wanted {
  readonly status: SubscriptionRow['status'] | undefined
  readonly planId: number | undefined
  readonly quantity: number | undefined
  readonly debt: Hundredths | undefined
  /** As sent. */
  readonly storedCardId: string | undefined
}

/**
 * Changes a subscription: status=cancelled stops it at once; plan_id, quantity, debt and stored_card_id take effect with
 * the next charge; metadata is merged, also when it is stopped (observed: 6.7). A new plan counts its periods anew from
 * the next charge, without a trial; a new card counts its failures anew, and the customer stays (our decisions).
 * @throws errors.subscription.not_found (141), errors.status.invalid (148), errors.subscription.paid (1700) for a new
 * plan or quantity when all periods are paid, errors.subscription.status_invalid (170) for anything but metadata when it
 * is stopped, errors.plan.* (135, 1303, 1304), errors.price.missing (136), errors.amount.invalid (109),
 * errors.request.bad_format (253), errors.metadata.invalid (2091), what `chargeableCard` throws
 */
export function updateSubscriptionOf(
  { ambient, database }: Billing,
  merchant: Merchant,
  id: number | undefined,
  parameters: Parameters,
): Promise<SubscriptionRow> {
  return database.write(async (queries) => {
    const now = ambient.now()
    const read = await holdRow(queries, 'subscriptions', merchant.id, id, now)
    if (!read) throw subscriptionNotFound()
    const wanted = readWanted(read, parameters)
    refuseStopped(read, wanted)
    const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
    const changed = {
      ...(await planColumns(queries, read, wanted)),
      ...(await cardColumns(queries, merchant, read, wanted, now)),
      status: wanted.status ?? read.status,
      quantity: wanted.quantity ?? read.quantity,
      debt: wanted.debt ?? read.debt,
      metadata: metadata ? mergeMetadata(read.metadata, metadata) : read.metadata,
    }
    nextCharge({ ...read, ...changed })
    return updateSubscription(queries, read.id, changed)
  })
}

function readWanted(read: SubscriptionRow, parameters: Parameters): Wanted {
  const unless = <T>(known: T, sent: T | undefined) => (sent === known ? undefined : sent)
  return {
    status: unless(read.status, readStatus(text(parameters, 'status')?.toLowerCase())),
    planId: unless(read.plan_id, readPlanId(parameters)),
    quantity: unless(read.quantity, readQuantity(parameters, 'subscription')),
    debt: unless(read.debt, readDebt(text(parameters, 'debt'), read.currency)),
    storedCardId: unless(String(read.stored_card_id), text(parameters, 'stored_card_id')),
  }
}

/** Clients that send a subscription back as they got it name its status too, so `active` is read as well. */
function readStatus(sent: string | undefined): SubscriptionRow['status'] | undefined {
  if (sent === undefined || sent === 'active' || sent === 'cancelled') return sent
  throw new GatewayError('errors.status.invalid', { explain: 'status=cancelled stops the subscription' })
}

function refuseStopped(read: SubscriptionRow, { status, planId, quantity, debt, storedCardId }: Wanted) {
  const newTerms = planId !== undefined || quantity !== undefined
  if (newTerms && isPaid(read.total_periods, read.period_count))
    throw new GatewayError('errors.subscription.paid', {
      explain: `All ${read.total_periods} periods are paid; only metadata can change now`,
    })
  const changes = newTerms || [status, debt, storedCardId].some((wanted) => wanted !== undefined)
  if (read.status === 'cancelled' && changes)
    throw new GatewayError('errors.subscription.status_invalid', {
      explain: 'The subscription is cancelled for good; only metadata can change now',
    })
}

/** Columns that a new plan brings; none when the plan stays. */
async function planColumns(queries: Queries, read: SubscriptionRow, { planId }: Wanted) {
  if (planId === undefined) return {}
  const plan = await findRow(queries, 'plans', read.merchant_id, planId)
  const { id, price, interval, interval_unit, periods } = offerOf(plan, read.currency)
  return {
    plan_id: id,
    price,
    interval,
    interval_unit,
    total_periods: periods,
    period_count: 0,
    anchor_at: read.next_at,
  }
}

/** Columns that a new card brings; none when the card stays. */
async function cardColumns(
  queries: Queries,
  merchant: Merchant,
  read: SubscriptionRow,
  { storedCardId }: Wanted,
  now: number,
) {
  if (storedCardId === undefined) return {}
  const { id } = await chargeableCard(queries, merchant, storedCardId, read.test, now)
  return { stored_card_id: id, retry_count: 0 }
}
