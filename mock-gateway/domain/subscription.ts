import type { PlanStatus } from '../contract/plan.ts'
import type { SubscriptionStatus } from '../contract/subscription.ts'
import type { Item } from '../contract/transaction.ts'
import { type Currency, DECIMALS } from './currencies.ts'
import { GatewayError } from './errors.ts'
import { itemsTotal, readItems } from './items.ts'
import { amountIn, type Hundredths, hundredths } from './money.ts'
import { integer, list, type Sent, text } from './parameters.ts'
import { DAY, dayStart, type Interval, periodStart } from './periods.ts'
import { offerOf, type PlanTerms } from './plan.ts'
import { readId } from './references.ts'

/** What a subscriber orders, besides the plan's own terms (specification: Create transaction). */
export interface SubscriptionOrder {
  readonly planId: number
  /** First moment of the day it begins, UTC; undefined is at once. */
  readonly startDate: number | undefined
  /** Multiplies the plan's price. */
  readonly quantity: number
  /** Charged with every period. */
  readonly items: readonly Item[]
}

/** The parameters that make an order of a plan, with a transaction (specification: Create transaction). */
export const PLAN_ORDER_FIELDS = ['plan_id', 'start_date', 'subscription_quantity', 'subscription_items'] as const

type SentQuantity = Sent<'subscription_quantity' | 'quantity'>
type SentOrder = Sent<(typeof PLAN_ORDER_FIELDS)[number]> & SentQuantity

const MOST_QUANTITY = 1_000_000
/** Latest start_date, in days from now (our decision). */
const FURTHEST_START = 3_660

/** How the quantity is called: with a transaction, and where subscriptions are all a request is about (observed: 15.35). */
const QUANTITY_NAMES = {
  transaction: ['subscription_quantity'],
  subscription: ['subscription_quantity', 'quantity'],
} as const

/**
 * Reads plan_id, start_date, subscription_items and the quantity.
 * @param about what the request is about
 * @returns undefined when no plan is named: the others mean nothing then
 * @throws errors.plan.invalid (1303: not an id), errors.request.bad_format (253: a quantity that is not 1 to 1,000,000 or
 * comes twice and differs, a start_date that is no YYYY-MM-DD, is past or over 3,660 days away), errors of the items as
 * an invoice has them
 */
export function readSubscriptionOrder(
  parameters: SentOrder,
  about: keyof typeof QUANTITY_NAMES,
  now: number,
): SubscriptionOrder | undefined {
  const planId = readPlanId(parameters)
  if (planId === undefined) return undefined
  const { startDate, quantity = 1, items = [] } = readOrderParts(parameters, about, now)
  return { planId, startDate, quantity, items }
}

/**
 * What of an order is sent besides the plan.
 * @throws as `readSubscriptionOrder`
 */
export function readOrderParts(
  parameters: SentOrder,
  about: keyof typeof QUANTITY_NAMES,
  now: number,
): SubscriptionOrderParts {
  return {
    startDate: readStartDate(text(parameters, 'start_date'), now),
    quantity: readQuantity(parameters, about),
    items: readSubscriptionItems(parameters),
  }
}

/** An order without its plan; undefined is not sent. */
export type SubscriptionOrderParts = {
  readonly [Part in Exclude<keyof SubscriptionOrder, 'planId'>]: SubscriptionOrder[Part] | undefined
}

/** @throws errors.plan.invalid (1303) */
export function readPlanId(parameters: Sent<'plan_id'>): number | undefined {
  const sent = text(parameters, 'plan_id')
  const id = sent === undefined ? undefined : readId(sent)
  if (sent !== undefined && id === undefined)
    throw new GatewayError('errors.plan.invalid', { explain: 'plan_id must be the id of a plan: a whole number' })
  return id
}

/** @throws errors.request.bad_format (253), also for two names that say two numbers */
export function readQuantity(parameters: SentQuantity, about: keyof typeof QUANTITY_NAMES): number | undefined {
  const names = QUANTITY_NAMES[about]
  const quantities = new Set(names.flatMap((name) => readQuantityAs(parameters, name) ?? []))
  if (quantities.size > 1) throw badFormat(`${names.join(' and ')} are one thing; send one of them`)
  const [quantity] = quantities
  return quantity
}

function readQuantityAs(parameters: SentQuantity, name: 'subscription_quantity' | 'quantity'): number | undefined {
  const quantity = integer(parameters, name, 'errors.request.bad_format')
  if (quantity === undefined || (quantity >= 1 && quantity <= MOST_QUANTITY)) return quantity
  throw badFormat(`${name} must be a whole number from 1 to ${MOST_QUANTITY}`)
}

/** Today is not past. */
function readStartDate(sent: string | undefined, now: number): number | undefined {
  const start = sent === undefined ? undefined : dayStart(sent)
  if (sent !== undefined && start === undefined) throw badFormat('start_date must be a day written YYYY-MM-DD')
  if (start !== undefined && start + DAY <= now) throw badFormat('start_date is past; it may be today or later')
  if (start !== undefined && start > now + FURTHEST_START * DAY)
    throw badFormat(`start_date may be at most ${FURTHEST_START} days away`)
  return start
}

function readSubscriptionItems(parameters: Sent<'subscription_items'>): readonly Item[] | undefined {
  const sent = list(parameters, 'subscription_items', 'errors.items.not_array')
  return sent && readItems(sent, { required: sent.length > 0 })
}

/**
 * Reads the debt of a subscription: what the next charge adds or, below zero, subtracts.
 * @throws errors.amount.invalid (109)
 */
export function readDebt(sent: string | undefined, currency: Currency): Hundredths | undefined {
  if (sent === undefined) return undefined
  const debt = amountIn(sent)
  if (debt !== undefined && (DECIMALS[currency] > 0 || debt % 100 === 0)) return debt
  throw new GatewayError('errors.amount.invalid', {
    explain: `debt must be an amount in ${currency} such as 10.00 or -10.00`,
  })
}

/** What a charge is made of; money in hundredths. */
export type ChargeParts = Pick<NewSubscription, 'price' | 'quantity' | 'items' | 'debt'>

/**
 * What the next charge comes to: price times quantity, the items and the debt (specification: template variables, debt
 * and multiplier). Below zero when a negative debt outweighs the rest.
 * @throws errors.amount.invalid (109) when it is beyond 90071992547409.91 either way
 */
export function nextCharge({ price, quantity, items, debt }: ChargeParts): Hundredths {
  const charge = Number(BigInt(price) * BigInt(quantity) + BigInt(itemsTotal(items)) + BigInt(debt))
  if (Number.isSafeInteger(charge)) return hundredths(charge)
  throw new GatewayError('errors.amount.invalid', {
    explain: 'Price times quantity, with items and debt, is larger than 90071992547409.91',
  })
}

const NO_DEBT = hundredths(0)

/** A subscription as it begins, by the names of its columns. Money is hundredths, times are epoch milliseconds. */
export interface NewSubscription extends Interval {
  readonly plan_id: number
  readonly status: SubscriptionStatus
  readonly currency: Currency
  readonly price: Hundredths
  readonly quantity: number
  readonly items: readonly Item[]
  readonly debt: Hundredths
  readonly total_periods: number
  readonly period_count: number
  readonly retry_count: number
  /** Before any trial. */
  readonly start_date: number
  /** Start of the first period. */
  readonly anchor_at: number
  readonly next_at: number
}

/**
 * Begins a subscription on the plan's present terms. A payment pays the first period, unless that lies ahead because of
 * a start date or a trial; then, and without a payment, the first charge is due when the first period begins (our
 * decision). A start date that is past by now counts as now.
 * @param plan undefined when the merchant has none with the ordered id
 * @param how.paid true when a payment begins it
 * @throws what `offerOf` and `nextCharge` throw
 */
export function beginSubscription(
  plan: (PlanTerms & { readonly id: number; readonly status: PlanStatus }) | undefined,
  { startDate, quantity, items }: Omit<SubscriptionOrder, 'planId'>,
  { currency, paid, now }: { readonly currency: Currency; readonly paid: boolean; readonly now: number },
): NewSubscription {
  const offer = offerOf(plan, currency)
  const { price, periods } = offer
  nextCharge({ price, quantity, items, debt: NO_DEBT })
  const start = Math.max(startDate ?? now, now)
  const anchor = start + offer.trial_length * DAY
  const paysFirst = paid && startDate === undefined && offer.trial_length === 0
  const periodCount = paysFirst ? 1 : 0
  return {
    plan_id: offer.id,
    status: isPaid(periods, periodCount) ? 'cancelled' : 'active',
    currency,
    price,
    quantity,
    items,
    debt: NO_DEBT,
    interval: offer.interval,
    interval_unit: offer.interval_unit,
    total_periods: periods,
    period_count: periodCount,
    retry_count: 0,
    start_date: start,
    anchor_at: anchor,
    next_at: periodStart(anchor, offer, periodCount),
  }
}

/** True when every period is paid; one that lasts for ever never is. */
export const isPaid = (totalPeriods: number, periodCount: number): boolean =>
  totalPeriods > 0 && periodCount >= totalPeriods

/** Periods still to be paid; 0 for one that lasts for ever, because clients need a number (observed: 7.6). */
export const periodsLeft = (totalPeriods: number, periodCount: number): number =>
  Math.max(totalPeriods - periodCount, 0)

const badFormat = (explain: string) => new GatewayError('errors.request.bad_format', { explain })
