import type { Item } from '../contract/wire.ts'
import { formatAmount, type Hundredths, hundredths } from '../domain/money/money.ts'
import {
  applyDeclinedCharge,
  applyPaidCharge,
  calculatePeriodAt,
  type ProgressChange,
  skipMissedPeriods,
} from '../domain/subscription/dunning.ts'
import { DAY } from '../domain/subscription/periods.ts'
import { calculateNextCharge } from '../domain/subscription/subscription.ts'
import { chargeRecurring } from '../payments/charge-recurring.ts'
import { findRow, holdRow, insertRows, updateRow } from '../storage/rows.ts'

import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { findClaim } from '../storage/transactions.ts'
import { findWebhooksOfFirstPayment } from '../storage/webhooks.ts'
import type { OpenWork, Work } from '../work/work.ts'

/** Result of a due charge. */
export type PeriodCharge =
  | PeriodResult
  | { readonly kind: 'passed over'; readonly subscription: SubscriptionRow }

interface PeriodResult {
  readonly kind: 'charged'
  readonly subscription: SubscriptionRow
  /** Hundredths; of zero or less there was nothing to charge. */
  readonly amount: Hundredths
  readonly transaction: TransactionRow | undefined
}

/**
 * Charges the due period of a subscription (specification: template variables, subscription;
 * observed: 10.4). One database transaction records the charge, creates the payment and updates the
 * subscription, so a period is never paid twice, also if a process is killed.
 * @param work its `now` is the due date
 * @param until the current time in epoch milliseconds
 * @returns undefined if it is no longer due: another gateway was first, or it was cancelled
 */
export const chargeDue = (
  work: OpenWork,
  id: number,
  until: number,
): Promise<PeriodCharge | undefined> =>
  work.write(async (steps) => {
    const { queries, merchant, now } = steps
    const subscription = await holdRow(queries, 'subscriptions', merchant.id, id, now)
    if (subscription?.status !== 'active' || subscription.next_at > now) return undefined
    const later =
      merchant.settings.missed_periods === 'latest'
        ? skipMissedPeriods(subscription, until)
        : undefined
    if (later)
      return {
        kind: 'passed over',
        subscription: await updateRow(queries, 'subscriptions', subscription.id, later),
      }
    return chargePeriod(steps, subscription)
  })

/** Charges the period that is due, within a database transaction. */
export async function chargePeriod(steps: Work, read: SubscriptionRow): Promise<PeriodResult> {
  const { queries, now } = steps
  const amount = calculateNextCharge(read)
  const transaction = amount > 0 ? await pay(steps, read, amount) : undefined
  // A unique violation if this attempt exists already.
  await insertRows(queries, 'subscription_charges', [
    {
      subscription_id: read.id,
      period_at: calculatePeriodAt(read),
      attempt: read.attempts + 1,
      amount,
      transaction_id: transaction?.id ?? null,
      created_at: now,
    },
  ])
  const subscription = await updateRow(
    queries,
    'subscriptions',
    read.id,
    calculateSubscriptionChange(steps, read, amount, transaction),
  )
  return { kind: 'charged', subscription, amount, transaction }
}

/** Returns the state of the subscription after a charge. */
function calculateSubscriptionChange(
  { merchant, now }: Work,
  subscription: SubscriptionRow,
  amount: Hundredths,
  transaction: TransactionRow | undefined,
): ProgressChange {
  const isPaid = transaction === undefined || transaction.status === 'approved'
  return isPaid
    ? applyPaidCharge(subscription, amount)
    : applyDeclinedCharge(subscription, now, merchant.settings)
}

async function pay(work: Work, read: SubscriptionRow, amount: Hundredths): Promise<TransactionRow> {
  const { queries } = work
  const card = await findRow(queries, 'stored_cards', read.merchant_id, read.stored_card_id)
  if (!card) throw new TypeError('A subscription has lost its stored card')
  const plan = await findRow(queries, 'plans', read.merchant_id, read.plan_id)
  const customer = await findRow(
    queries,
    'customers',
    read.merchant_id,
    read.customer_id ?? undefined,
  )
  return chargeRecurring(work, {
    columns: {
      subscription_id: read.id,
      customer_id: customer?.id ?? null,
      customer_ref: customer?.ref ?? null,
      payment_ref: await findFreePaymentRef(work, read),
      currency: read.currency,
      items: createItems(read, plan?.name ?? ''),
      metadata: read.metadata,
      test: read.test,
    },
    card,
    amount,
    webhooks: await findWebhooksOfFirstPayment(queries, read.id, 'recurring_success'),
  })
}

/**
 * Builds the items of a charge (observed: 10.4): the plan's part, the items of every charge, and
 * the debt (decision 42).
 */
function createItems(
  { id, price, quantity, items, debt }: SubscriptionRow,
  plan: string,
): readonly Item[] {
  const planPart = {
    artno: `subscription${id}`,
    description: plan,
    amount: text(price * quantity),
    qty: quantity,
  }
  const debtPart = { artno: 'debt', description: plan, amount: formatAmount(debt), qty: 1 }
  return [
    { ...planPart, vat: '0.00' },
    ...items,
    ...(debt === 0 ? [] : [{ ...debtPart, vat: '0.00' }]),
  ]
}

const text = (amount: number): string => formatAmount(hundredths(amount))

/**
 * The payment_ref of a period, alike for each try: id of the subscription and day of the period,
 * base 36, at most 12 characters for a million subscriptions (decision 46). A reference that the
 * merchant has used itself gets a letter more.
 */
async function findFreePaymentRef(
  { queries }: Work,
  subscription: SubscriptionRow,
): Promise<string> {
  let paymentRef = `sub${subscription.id.toString(36)}-${Math.floor(calculatePeriodAt(subscription) / DAY).toString(36)}`
  while (await findClaim(queries, subscription.merchant_id, paymentRef)) paymentRef += 'x'
  return paymentRef
}
