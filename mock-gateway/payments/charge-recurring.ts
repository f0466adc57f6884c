import type { Authorization, BankRefusal } from '../acquirer/authorization.ts'
import { decide } from '../acquirer/authorize.ts'
import type { Item } from '../contract/wire.ts'
import { checkChargeable } from '../domain/card/stored-card.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Currency } from '../domain/money/currencies.ts'
import { formatAmount, type Hundredths } from '../domain/money/money.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { updateStoredCard } from '../storage/stored-cards.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { NewTransactionRow, TransactionRow } from '../storage/tables/transactions.ts'
import type { WebhookRow } from '../storage/tables/webhooks.ts'
import { NO_PARTS } from '../storage/transaction-parts.ts'
import { insertTransaction } from '../storage/transactions.ts'
import { copyWebhooks } from '../storage/webhooks.ts'
import { nextOutcome, type Work } from '../work/work.ts'
import { createCharge } from './charge-by-answer.ts'
import { type CreateTransaction, NOTHING_SENT } from './commands.ts'
import { finish } from './finish.ts'
import { newRow } from './order.ts'
import { failedBy } from './refusals.ts'

/** A charge of a stored card without its holder: one period of a subscription. */
export interface RecurringOrder {
  readonly subscriptionId: number
  readonly customerId: number | null
  readonly customerRef: string | undefined
  readonly card: StoredCardRow
  readonly paymentRef: string
  /** More than zero. */
  readonly amount: Hundredths
  readonly currency: Currency
  /** The items; their sum is the amount. */
  readonly items: readonly Item[]
  readonly metadata: JsonObject | null
  readonly test: boolean
  /** The webhooks of the payer's first payment. */
  readonly webhooks: readonly WebhookRow[]
}

/** A recurring payment has no sender, so its browser is unknown. */
const UNKNOWN_BROWSER = { user_agent: '', ip: '', accept_language: '' } as const

/**
 * Charges a stored card and keeps the transaction, paid or not (specification: transaction_type
 * recurring, Test-mode behavior; observed: 10.4). A card that cannot be charged any more makes a
 * payment that failed (our decision).
 */
export async function chargeRecurring(work: Work, order: RecurringOrder): Promise<TransactionRow> {
  const { queries, now, merchant, randomBytes } = work
  const { card, test, metadata, amount } = order
  const answer: Authorization =
    findCardRefusal(card, test, now) ??
    decide({
      test,
      source: { kind: 'recurring', expiry: card.card_expiry },
      metadata,
      storeCard: false,
      liveCards: merchant.settings.live_cards,
      forced: (await nextOutcome(work))?.outcome,
      randomBytes,
    })
  const charged = createCharge(work, answer, { amount, authorize: false, event: 'charged' })
  const row = await insertTransaction(queries, {
    ...newRow(work, toCommand(order)),
    transaction_type: PAYMENT_METHODS.recurring.transactionType,
    card_holder: card.card_holder,
    card_number: card.card_number,
    card_expiry: card.card_expiry,
    card_type: 'stored_card',
    stored_card_id: card.id,
    customer_id: order.customerId,
    subscription_id: order.subscriptionId,
    ...(charged.columns as Partial<NewTransactionRow>),
  })
  const webhooks = await copyWebhooks(queries, order.webhooks, row, now)
  await finish(work, row, {
    charged,
    parts: { ...NO_PARTS, webhooks },
    before: [{ event: 'created', process: true }],
  })
  await updateStoredCard(queries, card.id, { transaction_id: row.id, updated_at: now })
  return row
}

/** Returns why the stored card cannot be charged at all; undefined if it can. */
function findCardRefusal(card: StoredCardRow, test: boolean, now: number): BankRefusal | undefined {
  try {
    checkChargeable(card, test, now)
    return undefined
  } catch (error) {
    return failedBy(error)
  }
}

const toCommand = ({
  amount,
  currency,
  paymentRef,
  customerRef,
  items,
  metadata,
  test,
}: RecurringOrder) =>
  ({
    ...NOTHING_SENT,
    amount: formatAmount(amount),
    currency,
    paymentRef,
    customerRef,
    test,
    process: true,
    paymentMethod: 'recurring',
    metadata: metadata ?? undefined,
    items,
    client: UNKNOWN_BROWSER,
  }) satisfies CreateTransaction
