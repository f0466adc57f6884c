import type { Authorization, BankRefusal } from '../acquirer/authorization.ts'
import { decide } from '../acquirer/authorize.ts'
import { checkChargeable } from '../domain/card/stored-card.ts'
import { formatAmount, type Hundredths } from '../domain/money/money.ts'
import { PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { updateRow } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type {
  NewTransactionRow,
  OrderColumns,
  TransactionRow,
} from '../storage/tables/transactions.ts'
import type { WebhookRow } from '../storage/tables/webhooks.ts'
import { NO_PARTS } from '../storage/transaction-parts.ts'
import { insertTransaction } from '../storage/transactions.ts'
import { copyWebhooks } from '../storage/webhooks.ts'
import { findNextOutcome, type Work } from '../work/work.ts'
import { createCharge } from './charge-by-answer.ts'
import { finish } from './finish.ts'
import { createTransactionRow } from './order.ts'
import { convertToDecline } from './refusals.ts'

/** A charge of a stored card without its holder: one period of a subscription. */
export interface RecurringOrder {
  /** The columns of the transaction; the sum of its items is the amount. */
  readonly columns: Pick<OrderColumns, 'payment_ref' | 'currency' | 'test'> &
    Required<
      Pick<OrderColumns, 'subscription_id' | 'customer_id' | 'customer_ref' | 'items' | 'metadata'>
    >
  readonly card: StoredCardRow
  /** More than zero. */
  readonly amount: Hundredths
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
  const { queries, now } = work
  const { card, amount, columns } = order
  const answer = await askBank(work, order)
  const charged = createCharge(work, answer, { amount, authorize: false, event: 'charged' })
  const row = await insertTransaction(queries, {
    ...createTransactionRow(work, {
      ...columns,
      amount_text: formatAmount(amount),
      authorize: false,
      store_card: false,
      payment_method: 'recurring',
      payment_request: {},
      client: UNKNOWN_BROWSER,
    }),
    transaction_type: PAYMENT_METHODS.recurring.transactionType,
    card_holder: card.card_holder,
    card_number: card.card_number,
    card_expiry: card.card_expiry,
    card_type: 'stored_card',
    stored_card_id: card.id,
    ...(charged.columns as Partial<NewTransactionRow>),
  })
  const webhooks = await copyWebhooks(queries, order.webhooks, row, now)
  await finish(work, row, {
    charged,
    parts: { ...NO_PARTS, webhooks },
    before: [{ event: 'created', process: true }],
  })
  await updateRow(queries, 'stored_cards', card.id, { transaction_id: row.id, updated_at: now })
  return row
}

const askBank = async (
  work: Work,
  { card, columns: { test, metadata } }: RecurringOrder,
): Promise<Authorization> =>
  findCardRefusal(card, test, work.now) ??
  decide({
    test,
    source: { kind: 'recurring', expiry: card.card_expiry },
    metadata,
    storeCard: false,
    liveCards: work.merchant.settings.live_cards,
    forced: (await findNextOutcome(work))?.outcome,
    randomBytes: work.randomBytes,
  })

/** Returns why the stored card cannot be charged at all; undefined if it can. */
function findCardRefusal(card: StoredCardRow, test: boolean, now: number): BankRefusal | undefined {
  try {
    checkChargeable(card, test, now)
    return undefined
  } catch (error) {
    return convertToDecline(error)
  }
}
