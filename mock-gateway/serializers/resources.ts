import type {
  Customer,
  Plan,
  Reference,
  StoredCard,
  Subscription,
  Transaction,
  WirePrices,
} from '../contract/wire.ts'
import type { Addresses } from '../domain/addresses.ts'
import { formatCardType } from '../domain/card/card-types.ts'
import { formatAmount } from '../domain/money/money.ts'
import { endOfLink } from '../domain/order/payment-link.ts'
import type { Prices } from '../domain/subscription/plan.ts'
import { countPeriodsLeft } from '../domain/subscription/subscription.ts'
import type { CustomerRow } from '../storage/tables/customers.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import type { PlanRow } from '../storage/tables/plans.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import { formatWireTime } from './time.ts'

/**
 * Serializes related objects: as an id, or in full if `extend` names them (specification: What the
 * service does).
 */
export interface References {
  customer(id: number | null): Reference | Customer | null
  stored_card(id: number | null): Reference | StoredCard | null
  plan(id: number): Reference | Plan
  subscription(id: number | null): Reference | Subscription | null
  transaction(id: number): Reference | Transaction
}

const byId = (id: number | null) => (id === null ? null : { id })

/** Serializes every related object as an id. */
export const BY_ID: References = {
  customer: byId,
  stored_card: byId,
  plan: (id) => ({ id }),
  subscription: byId,
  transaction: (id) => ({ id }),
}

export function presentCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    created_at: formatWireTime(row.created_at),
    ref: row.ref,
    metadata: row.metadata,
  }
}

export const presentPlan = (row: PlanRow): Plan => ({
  id: row.id,
  created_at: formatWireTime(row.created_at),
  updated_at: formatWireTime(row.updated_at),
  merchant_id: row.merchant_id,
  name: row.name,
  description: row.description,
  interval: row.interval,
  interval_unit: row.interval_unit,
  periods: row.periods,
  prices: presentPrices(row.prices),
  setup_fees: presentPrices(row.setup_fees),
  trial_length: row.trial_length,
  status: row.status,
})

function presentPrices(prices: Prices): WirePrices {
  return Object.fromEntries(
    Object.entries(prices).map(([currency, amount]) => [currency, formatAmount(amount)]),
  )
}

/**
 * @param transaction JSON text of the transaction that created or last used the card; undefined if
 *   there is none
 */
export function presentStoredCard(
  row: StoredCardRow,
  references: References,
  transaction: string | undefined,
): StoredCard {
  return {
    id: row.id,
    created_at: formatWireTime(row.created_at),
    token: row.token,
    card_holder: row.card_holder,
    card_number: row.card_number,
    card_type: formatCardType(row.card_type),
    status: row.status,
    currency: row.currency.toUpperCase(),
    expires: formatWireTime(row.expires),
    ref: row.ref,
    merchant_id: row.merchant_id,
    test: row.test,
    transaction: transaction ?? null,
    recurring: row.recurring,
    customer: references.customer(row.customer_id),
  }
}

export const presentSubscription = (
  row: SubscriptionRow,
  references: References = BY_ID,
): Subscription => ({
  id: row.id,
  created_at: formatWireTime(row.created_at),
  updated_at: formatWireTime(row.updated_at),
  status: row.status,
  price: formatAmount(row.price),
  currency: row.currency,
  interval: row.interval,
  interval_unit: row.interval_unit,
  total_periods: row.total_periods,
  period_count: row.period_count,
  periods_left: countPeriodsLeft(row.total_periods, row.period_count),
  start_date: formatWireTime(row.start_date).slice(0, 10),
  next_at: formatWireTime(row.next_at),
  subscription_quantity: row.quantity,
  multiplier: row.quantity,
  debt: formatAmount(row.debt),
  retry_count: row.retry_count,
  test: row.test,
  items: row.items,
  metadata: row.metadata,
  plan: references.plan(row.plan_id),
  customer: references.customer(row.customer_id),
  stored_card: references.stored_card(row.stored_card_id),
})

const timeOrNull = (at: number | null) => (at === null ? null : formatWireTime(at))

/** Builds the public address of a payment link. */
const linkUrl = ({ token }: PaymentLinkRow, { pay }: Addresses): string => `${pay}/pay/${token}`

/**
 * Serializes a payment link for the control API and the console (our decision).
 * @param link.taken number of its payments that are made or in progress
 * @param now epoch milliseconds
 */
export function presentPaymentLink(
  { row, taken }: { readonly row: PaymentLinkRow; readonly taken: number },
  addresses: Addresses,
  now: number,
) {
  const { id, merchant_id, amount, currency, payment_ref, description, plan_id, test, uses } = row
  return {
    id,
    created_at: formatWireTime(row.created_at),
    merchant_id,
    url: linkUrl(row, addresses),
    status: endOfLink(row, taken, now) ?? ('active' as const),
    amount: formatAmount(amount),
    currency,
    payment_ref,
    description,
    plan_id,
    test,
    success_url: row.success_url,
    error_url: row.error_url,
    expires_at: timeOrNull(row.expires_at),
    uses,
    used: taken,
    closed_at: timeOrNull(row.closed_at),
  }
}
