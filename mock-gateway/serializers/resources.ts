import {
  type Capture,
  type Customer,
  type DynamicWebhook,
  FIELDS,
  type LogEvent,
  type Plan,
  type Refund,
  type StoredCard,
  type Subscription,
  type Webhook,
  type WirePrices,
} from '../contract/wire.ts'
import type { Addresses } from '../domain/addresses.ts'
import { formatCardType } from '../domain/card/card-types.ts'
import { formatAmount } from '../domain/money/money.ts'
import { endOfLink } from '../domain/order/payment-link.ts'
import type { Prices } from '../domain/subscription/plan.ts'
import { countPeriodsLeft } from '../domain/subscription/subscription.ts'
import type { CustomerRow } from '../storage/tables/customers.ts'
import type { PaymentLinkRow } from '../storage/tables/payment-links.ts'
import type { CaptureRow, LogEventRow, RefundRow } from '../storage/tables/payment-parts.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { PlanRow, SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { WebhookRow } from '../storage/tables/webhooks.ts'
import { BY_ID, createSerializer, type References } from './serialize.ts'
import { formatWireTime } from './time.ts'

const serializeCustomer = createSerializer<Customer, 'customers'>('customers', FIELDS.Customer)

export const presentCustomer = (row: CustomerRow): Customer => serializeCustomer(row, {})

const serializePlan = createSerializer<Plan, 'plans'>('plans', FIELDS.Plan)

export const presentPlan = (row: PlanRow): Plan =>
  serializePlan(row, {
    prices: presentPrices(row.prices),
    setup_fees: presentPrices(row.setup_fees),
  })

function presentPrices(prices: Prices): WirePrices {
  return Object.fromEntries(
    Object.entries(prices).map(([currency, amount]) => [currency, formatAmount(amount)]),
  )
}

const serializeStoredCard = createSerializer<StoredCard, 'stored_cards'>(
  'stored_cards',
  FIELDS.StoredCard,
)

/**
 * @param transaction JSON text of the transaction that created or last used the card; undefined if
 *   there is none
 */
export const presentStoredCard = (
  row: StoredCardRow,
  references: References,
  transaction: string | undefined,
): StoredCard =>
  serializeStoredCard(
    row,
    {
      card_type: formatCardType(row.card_type),
      currency: row.currency.toUpperCase(),
      transaction: transaction ?? null,
    },
    references,
  )

const serializeSubscription = createSerializer<Subscription, 'subscriptions'>(
  'subscriptions',
  FIELDS.Subscription,
)

export const presentSubscription = (
  row: SubscriptionRow,
  references: References = BY_ID,
): Subscription =>
  serializeSubscription(
    row,
    {
      periods_left: countPeriodsLeft(row.total_periods, row.period_count),
      start_date: formatWireTime(row.start_date).slice(0, 10),
      subscription_quantity: row.quantity,
      multiplier: row.quantity,
    },
    references,
  )

const serializeRefund = createSerializer<Refund, 'refunds'>('refunds', FIELDS.Refund)

export const presentRefund = (row: RefundRow, references: References = BY_ID): Refund =>
  serializeRefund(row, {}, references)

const serializeCapture = createSerializer<Capture, 'captures'>('captures', FIELDS.Capture)

export const presentCapture = (row: CaptureRow): Capture => serializeCapture(row, {})

const serializeLogEvent = createSerializer<LogEvent, 'log_events'>('log_events', FIELDS.LogEvent)

export const presentLogEvent = (row: LogEventRow): LogEvent => serializeLogEvent(row, {})

const serializeWebhook = createSerializer<Webhook, 'webhooks'>('webhooks', FIELDS.Webhook)

export const presentWebhook = (row: WebhookRow): Webhook => serializeWebhook(row, {})

const serializeDynamicWebhook = createSerializer<DynamicWebhook, 'webhooks'>(
  'webhooks',
  FIELDS.DynamicWebhook,
)

/** Serializes the webhooks of the request, by trigger (our decision). */
export const presentDynamicWebhooks = (
  rows: readonly WebhookRow[],
): Record<string, DynamicWebhook[]> =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ trigger }) => trigger)].map(([trigger, ofTrigger]) => [
      trigger,
      ofTrigger.map((row) => serializeDynamicWebhook(row, {})),
    ]),
  )

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
