import { isDeepStrictEqual } from 'node:util'
import type { PaymentMethod } from '../contract/transaction.ts'
import { readCurrency } from '../domain/currencies.ts'
import { GatewayError } from '../domain/errors.ts'
import { readItems } from '../domain/items.ts'
import type { Merchant } from '../domain/merchant.ts'
import { mergeMetadata } from '../domain/metadata.ts'
import { parseAmount } from '../domain/money.ts'
import { flag, isSent, list, object, type Parameters, text } from '../domain/parameters.ts'
import { readPaymentDetails } from '../domain/payment-details.ts'
import { checkOrder, PAYMENT_METHODS, readPaymentMethod } from '../domain/payment-methods.ts'
import { readCustomerRef, readPaymentRef } from '../domain/references.ts'
import { STATES } from '../domain/states.ts'
import { findOrCreateCustomer } from '../storage/customers.ts'
import type { Queries } from '../storage/schema.ts'
import type { TransactionChanges, TransactionRow } from '../storage/transactions.ts'
import { readAmount, readVatAmount } from './new-transaction.ts'
import type { PayableOrder } from './pay.ts'
import { hasCardData } from './payment-card.ts'
import { checkRequestHash } from './request-hash.ts'
import { changedOrder, isOfOrder } from './subscribe.ts'

/** What an update may bring: what creating takes but addresses and webhooks (specification: Update; observed: 6.1). */
const UPDATABLE = [
  'payment_ref',
  'order_id',
  'amount',
  'vat_amount',
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
  'card_number',
  'card_holder',
  'card_cvv',
  'card_expiry',
  'plan_id',
  'start_date',
  'subscription_quantity',
  'subscription_items',
] as const

/** What an update brings, for the log. What belongs to an order of a plan means nothing without one. */
export const broughtBy = (parameters: Parameters, { plan_id }: TransactionRow): readonly string[] =>
  UPDATABLE.filter((name) => isSent(parameters, name) && (plan_id !== null || !isOfOrder(name)))

/** Columns that say nothing of what is paid, so that an authorized transaction takes them (specification: Update). */
const BESIDE_THE_MONEY = ['metadata', 'items', 'vat_amount', 'customer_ref', 'customer_id']

/** What every transaction takes, whatever its status. */
const ALWAYS = ['metadata']

/**
 * What an update changes, by columns.
 * @param process whether the same request pays
 * @throws errors of the hash when one is sent, of single fields as when creating, and what `refuseChanges` throws
 */
export async function readChanges(
  queries: Queries,
  merchant: Merchant,
  read: TransactionRow,
  parameters: Parameters,
  { process, now }: { readonly process: boolean; readonly now: number },
): Promise<TransactionChanges> {
  const { payable, updatable } = STATES[read.status]
  const hash = text(parameters, 'hash') === undefined ? undefined : checkedHash(merchant, read, parameters)
  const changes: TransactionChanges = {
    ...readOrder(parameters, read),
    ...(await readCustomer(queries, read, parameters, now)),
    ...readMetadata(parameters, read),
    ...changedOrder(read, parameters, now),
  }
  const paymentMethod = methodOf(parameters, read, process)
  if (paymentMethod !== read.payment_method) changes.payment_method = paymentMethod
  const sent = readPaymentDetails(parameters, PAYMENT_METHODS[paymentMethod].limits)
  if (sent && (payable || !isDeepStrictEqual(sent, requestedDetails(read))))
    changes.payment_details = { ...read.payment_details, ...sent }
  refuseChanges(read, changes)
  if (updatable) {
    const order = orderOf({ ...read, ...changes } as TransactionRow)
    const details = checkOrder(order, merchant.settings, process || !payable)
    if (payable && details !== order.paymentDetails) changes.payment_details = details ?? null
  }
  return { ...changes, updated_at: now, ...(payable && hash !== undefined ? { request_hash: hash } : {}) }
}

/**
 * Holds a transaction that is not to be paid any more to what its status allows. What it has already is no change:
 * clients send the whole order again to change a part of it.
 * @throws errors.transaction.processed (153), errors.transaction.locked (1531)
 */
function refuseChanges(read: TransactionRow, changes: TransactionChanges): void {
  const { payable, updatable } = STATES[read.status]
  if (payable) return
  const allowed = updatable ? BESIDE_THE_MONEY : ALWAYS
  const refused = Object.entries(changes).find(
    ([column, value]) => !allowed.includes(column) && !isSame(value, read[column as keyof TransactionRow]),
  )
  if (refused) throw notPayable(read)
}

/** Items and the like are the same when their keys come in the same order, too. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What a transaction is refused with that cannot be paid, and whose amount and the like cannot change. */
export function notPayable({ status }: TransactionRow): GatewayError {
  const { refusal, updatable } = STATES[status]
  const taken = updatable ? 'metadata, items, vat_amount and customer_ref' : 'metadata'
  return new GatewayError(refusal, {
    explain: `The transaction is ${status}; it takes only ${taken} now, with process=false`,
  })
}

/**
 * Checks the hash over what is sent, and what is known where nothing is. A shop whose payer has logged out sends no
 * customer_ref and hashes none (observed: 3.1, 6.1), so that is right too.
 */
function checkedHash(merchant: Merchant, read: TransactionRow, parameters: Parameters): string {
  const known = {
    paymentRef: read.payment_ref,
    amount: read.amount_text,
    currency: read.currency,
    test: read.test,
  }
  return checkRequestHash(merchant, parameters, { known, customerRefs: [read.customer_ref ?? '', ''] }).hash
}

/** The facts of the order itself. */
function readOrder(parameters: Parameters, read: TransactionRow): TransactionChanges {
  const changes: TransactionChanges = {}
  const paymentRef = text(parameters, 'payment_ref') ?? text(parameters, 'order_id')
  if (paymentRef !== undefined) changes.payment_ref = readPaymentRef(paymentRef)
  if (isSent(parameters, 'amount')) {
    const sent = readAmount(parameters)
    const amount = parseAmount(sent)
    // The amount it has is no change, nor is what was authorized before a part of it was captured.
    if (!amount.ok || (amount.value !== read.amount && amount.value !== read.org_auth_amount))
      Object.assign(changes, { amount_text: sent, amount: amount.ok ? amount.value : null })
  }
  if (isSent(parameters, 'vat_amount')) changes.vat_amount = readVatAmount(parameters) ?? null
  if (isSent(parameters, 'currency')) changes.currency = readCurrency(text(parameters, 'currency'))
  const storeCard = flag(parameters, 'store_card')
  const flags = {
    test: flag(parameters, 'test'),
    authorize: flag(parameters, 'authorize'),
    // With a plan the card is stored anyway: without one there would be nothing to charge again.
    store_card: read.plan_id === null ? storeCard : undefined,
  }
  for (const name of ['test', 'authorize', 'store_card'] as const)
    if (flags[name] !== undefined) changes[name] = flags[name]
  if (isSent(parameters, 'items'))
    changes.items = readItems(list(parameters, 'items', 'errors.items.not_array'), { required: false })
  return changes
}

async function readCustomer(
  queries: Queries,
  read: TransactionRow,
  parameters: Parameters,
  now: number,
): Promise<TransactionChanges> {
  const customer_ref = readCustomerRef(text(parameters, 'customer_ref'))
  if (customer_ref === undefined || customer_ref === read.customer_ref) return {}
  const { id } = await findOrCreateCustomer(queries, read.merchant_id, customer_ref, now)
  return { customer_ref, customer_id: id }
}

function readMetadata(parameters: Parameters, read: TransactionRow): TransactionChanges {
  const metadata = object(parameters, 'metadata', 'errors.metadata.invalid')
  return metadata ? { metadata: mergeMetadata(read.metadata, metadata) } : {}
}

/** What was sent of the payer: the transaction has it in its normal form, and a test person's own address. */
const requestedDetails = ({ payment_request }: TransactionRow): unknown => payment_request.payment_details

/**
 * Who sends a card pays with it, whatever was chosen before, unless the same request chooses otherwise. A card that was
 * stored is a card.
 */
function methodOf(parameters: Parameters, read: TransactionRow, process: boolean): PaymentMethod {
  const sent = readPaymentMethod(parameters) ?? (process && hasCardData(parameters) ? 'credit_card' : undefined)
  const isKnown = sent === undefined || (isCard(sent) && isCard(read.payment_method))
  return isKnown ? read.payment_method : sent
}

const isCard = (method: PaymentMethod): boolean => PAYMENT_METHODS[method].answeredBy === 'bank'

/** The order of a known transaction. */
export const orderOf = (row: TransactionRow): PayableOrder => ({
  paymentMethod: row.payment_method,
  amount: row.amount_text,
  currency: row.currency,
  authorize: row.authorize,
  test: row.test,
  metadata: row.metadata ?? undefined,
  storeCard: row.store_card,
  planId: row.plan_id ?? undefined,
  items: row.items ?? undefined,
  paymentDetails: row.payment_details ?? undefined,
})
