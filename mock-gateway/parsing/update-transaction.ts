import { readCustomerRef, readPaymentRef } from '../domain/identifiers.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { readPaymentMethod } from '../domain/order/payment-methods.ts'
import { tryParse, unwrap } from '../domain/parsed.ts'
import type { SentChanges, UpdateTransaction } from '../payments/commands.ts'
import {
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
import { maskedPaymentRequest } from './payment-request.ts'
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

/**
 * Reads a request to change a transaction, and possibly pay it. Its errors are kept until the
 * transaction is found.
 */
export function readUpdateTransaction(
  id: number | undefined,
  parameters: Parameters,
  { now, encrypted }: Pick<Sender, 'now' | 'encrypted'>,
): UpdateTransaction {
  const sent = pick(parameters, UPDATE_TRANSACTION_FIELDS)
  return {
    id,
    intent: tryParse(() => ({ process: flag(sent, 'process') ?? true, card: readSentCard(sent) })),
    hashed: isSent(sent, 'hash') ? tryParse(() => readHash(sent, encrypted)) : undefined,
    changes: tryParse(() => ({
      ...readChanges(sent, now),
      paymentRequest: maskedPaymentRequest(parameters, encrypted),
    })),
    brings: UPDATE_TRANSACTION_FIELDS.filter(
      (name) => !NO_CHANGE.includes(name) && isSent(sent, name),
    ),
  }
}

function readChanges(sent: UpdateParameters, now: number): Omit<SentChanges, 'paymentRequest'> {
  const paymentRef = text(sent, 'payment_ref') ?? text(sent, 'order_id')
  const before = {
    paymentRef: paymentRef === undefined ? undefined : readPaymentRef(paymentRef),
    amount: isSent(sent, 'amount') ? readAmount(sent) : undefined,
    stored: readStoredFields(sent),
    currency: isSent(sent, 'currency') ? readCurrency(text(sent, 'currency')) : undefined,
    storeCard: flag(sent, 'store_card'),
    test: flag(sent, 'test'),
    authorize: flag(sent, 'authorize'),
    items: readItems(sent, 'items'),
    customerRef: readCustomerRef(text(sent, 'customer_ref')),
    metadata: readMetadata(sent),
    planId: readPlanId(sent),
  }
  const order = tryParse(() => readOrderParts(sent, 'transaction', now))
  // Without a plan the order has no effect, so its errors are ignored.
  if (before.planId !== undefined) unwrap(order)
  return {
    ...before,
    order,
    paymentMethod: readPaymentMethod(text(sent, 'payment_method')),
    paymentDetails: readSentDetails(sent),
  }
}
