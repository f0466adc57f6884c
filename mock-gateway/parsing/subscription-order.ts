import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import { DAY, parseDayStart } from '../domain/subscription/periods.ts'
import type {
  SubscriptionOrder,
  SubscriptionOrderParts,
} from '../domain/subscription/subscription.ts'
import { readItems } from './order-fields.ts'
import { type CallParameters, integer, text } from './parameters/parameters.ts'

/** Parameters of an order of a plan, with a transaction (specification: Create transaction). */
export const PLAN_ORDER_FIELDS = [
  'plan_id',
  'start_date',
  'subscription_quantity',
  'subscription_items',
] as const

type QuantityParameters = CallParameters<'subscription_quantity' | 'quantity'>
type PlanOrderParameters = CallParameters<(typeof PLAN_ORDER_FIELDS)[number]> & QuantityParameters

const MOST_QUANTITY = 1_000_000
/** Latest start_date, in days from now (our decision). */
const FURTHEST_START = 3_660

/** Names of the quantity: in a transaction, and in calls for subscriptions (observed: 15.35). */
const QUANTITY_NAMES = {
  transaction: ['subscription_quantity'],
  subscription: ['subscription_quantity', 'quantity'],
} as const

/**
 * Reads plan_id, start_date, subscription_items and the quantity.
 * @param about resource of the call
 * @returns undefined without a plan: the other parameters have no meaning then
 * @throws errors.plan.invalid (1303: not an id), errors.request.bad_format (253: a quantity that is
 *   not 1 to 1,000,000 or has two different values, a start_date that is not YYYY-MM-DD, is past or
 *   over 3,660 days away), errors of the items as for an invoice
 */
export function readSubscriptionOrder(
  parameters: PlanOrderParameters,
  about: keyof typeof QUANTITY_NAMES,
  now: number,
): SubscriptionOrder | undefined {
  const planId = readPlanId(parameters)
  if (planId === undefined) return undefined
  const { startDate, quantity = 1, items = [] } = readOrderParts(parameters, about, now)
  return { planId, startDate, quantity, items }
}

/**
 * Reads the parameters of an order other than the plan.
 * @throws the errors of `readSubscriptionOrder`
 */
export function readOrderParts(
  parameters: PlanOrderParameters,
  about: keyof typeof QUANTITY_NAMES,
  now: number,
): SubscriptionOrderParts {
  return {
    startDate: readStartDate(text(parameters, 'start_date'), now),
    quantity: readQuantity(parameters, about),
    items: readItems(parameters, 'subscription_items', { complete: true }),
  }
}

/** @throws errors.plan.invalid (1303) */
export function readPlanId(parameters: CallParameters<'plan_id'>): number | undefined {
  const sent = text(parameters, 'plan_id')
  const id = sent === undefined ? undefined : readId(sent)
  if (sent !== undefined && id === undefined)
    throw new GatewayError('errors.plan.invalid', {
      explain: 'plan_id must be the id of a plan, which is a whole number.',
    })
  return id
}

/** @throws errors.request.bad_format (253), also if two names have different values */
export function readQuantity(
  parameters: QuantityParameters,
  about: keyof typeof QUANTITY_NAMES,
): number | undefined {
  const names = QUANTITY_NAMES[about]
  const quantities = new Set(names.flatMap((name) => readQuantityAs(parameters, name) ?? []))
  if (quantities.size > 1)
    throw badFormat(`${names.join(' and ')} are the same parameter. Send one of them.`)
  const [quantity] = quantities
  return quantity
}

function readQuantityAs(
  parameters: QuantityParameters,
  name: 'subscription_quantity' | 'quantity',
): number | undefined {
  const quantity = integer(parameters, name, 'errors.request.bad_format')
  if (quantity === undefined || (quantity >= 1 && quantity <= MOST_QUANTITY)) return quantity
  throw badFormat(`${name} must be a whole number from 1 to ${MOST_QUANTITY}.`)
}

/** Today is allowed. */
function readStartDate(sent: string | undefined, now: number): number | undefined {
  const start = sent === undefined ? undefined : parseDayStart(sent)
  if (sent !== undefined && start === undefined)
    throw badFormat('start_date must be a day written YYYY-MM-DD.')
  if (start !== undefined && start + DAY <= now)
    throw badFormat('start_date is in the past. Send today or a later day.')
  if (start !== undefined && start > now + FURTHEST_START * DAY)
    throw badFormat(`start_date may be at most ${FURTHEST_START} days in the future.`)
  return start
}
