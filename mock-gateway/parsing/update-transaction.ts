import { readCustomerRef, readPaymentRef } from '../domain/identifiers.ts'
import { removeUndefined } from '../domain/json.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { readPaymentMethod } from '../domain/order/payment-methods.ts'
import type { UpdateTransaction } from '../payments/commands.ts'
import { createPlanOrder } from '../payments/subscribe.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import {
  maskPaymentRequest,
  readAmount,
  readItems,
  readMetadata,
  readSentDetails,
  readStoredFields,
  STORED_FIELDS,
} from './order-fields.ts'
import {
  type CallParameters,
  flag,
  isSent,
  type Parameters,
  pick,
  text,
} from './parameters/parameters.ts'
import { readHash, type Sender } from './request-hash.ts'
import { CARD_FIELDS, readSentCard } from './sent-card.ts'
import { PLAN_ORDER_FIELDS, readOrderParts, readPlanId } from './subscription-order.ts'

/**
 * Parameters of an update: those of a new transaction, without addresses and webhooks
 * (specification: Update transaction; observed: 6.1).
 */
export const UPDATE_TRANSACTION_FIELDS = [
  'payment_ref',
  'order_id',
  'amount',
  ...STORED_FIELDS,
  'currency',
  'test',
  'authorize',
  'store_card',
  'items',
  'customer_ref',
  'metadata',
  'payment_method',
  'payment_details',
  'swish_number',
  ...CARD_FIELDS,
  ...PLAN_ORDER_FIELDS,
  'process',
  'hash',
] as const

type UpdateParameters = CallParameters<(typeof UPDATE_TRANSACTION_FIELDS)[number]>

/** Parameters that control the update, and are not changes themselves. */
const NO_CHANGE: readonly string[] = ['hash', 'process', 'card_type']

/** Reads a request to change a transaction, and possibly pay it. */
export function readUpdateTransaction(
  id: number | undefined,
  parameters: Parameters,
  { now, encrypted }: Pick<Sender, 'now' | 'encrypted'>,
): UpdateTransaction {
  const sent = pick(parameters, UPDATE_TRANSACTION_FIELDS)
  return {
    id,
    readIntent: () => ({ process: flag(sent, 'process') ?? true, card: readSentCard(sent) }),
    readHash: isSent(sent, 'hash') ? () => readHash(sent, encrypted) : undefined,
    readChanges: (transaction) => ({
      ...readChanges(sent, transaction, now),
      payment_request: maskPaymentRequest(parameters, encrypted),
    }),
    sentParameters: UPDATE_TRANSACTION_FIELDS.filter(
      (name) => !NO_CHANGE.includes(name) && isSent(sent, name),
    ),
  }
}

function readChanges(sent: UpdateParameters, { plan_id }: TransactionRow, now: number) {
  const paymentRef = text(sent, 'payment_ref') ?? text(sent, 'order_id')
  const changes = {
    payment_ref: paymentRef === undefined ? undefined : readPaymentRef(paymentRef),
    amount_text: isSent(sent, 'amount') ? readAmount(sent) : undefined,
    ...readStoredFields(sent),
    currency: isSent(sent, 'currency') ? readCurrency(text(sent, 'currency')) : undefined,
    store_card: flag(sent, 'store_card'),
    test: flag(sent, 'test'),
    authorize: flag(sent, 'authorize'),
    items: readItems(sent, 'items'),
    customer_ref: readCustomerRef(text(sent, 'customer_ref')),
    metadata: readMetadata(sent),
    ...readChangedOrder(sent, plan_id, now),
    payment_method: readPaymentMethod(text(sent, 'payment_method')),
    payment_details: readSentDetails(sent),
  }
  // With a plan the card is stored anyway: without one there would be nothing to charge again.
  const { store_card: _planned, ...others } = changes
  return removeUndefined(plan_id === null ? changes : others)
}

/**
 * Reads the changes of a plan's order: a new plan replaces the whole order, otherwise the sent
 * parameters change it. If neither the request nor the transaction has a plan, they have no meaning.
 */
function readChangedOrder(sent: UpdateParameters, known: number | null, now: number) {
  const planId = readPlanId(sent)
  if (planId === undefined && known === null) return {}
  const parts = readOrderParts(sent, 'transaction', now)
  if (planId !== undefined) return createPlanOrder(planId, parts)
  const { startDate, quantity, items } = parts
  return { start_date: startDate, subscription_quantity: quantity, subscription_items: items }
}
