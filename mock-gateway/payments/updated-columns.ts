import { isDeepStrictEqual } from 'node:util'
import { hasCardData } from '../cards/payment-card.ts'
import type { PaymentMethod } from '../contract/wire.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { parseAmount } from '../domain/money/money.ts'
import { checkOrder } from '../domain/order/check-order.ts'
import { mergeMetadata } from '../domain/order/metadata.ts'
import { getRules, PAYMENT_METHODS } from '../domain/order/payment-methods.ts'
import { checkRequestHash, type SentHash } from '../domain/order/request-hash.ts'
import { STATES } from '../domain/order/states.ts'
import { checkDetails } from '../domain/payer/payment-details.ts'
import type { TransactionChanges, TransactionRow } from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'
import type { SentChanges, UpdateTransaction } from './commands.ts'

/**
 * Columns that do not affect the money, so that an authorized transaction accepts them
 * (specification: Update).
 */
const FIELDS_AFTER_AUTHORIZATION = ['metadata', 'items', 'vat_amount', 'customer_ref']

/** Parameters that can be changed in every status. */
const ALWAYS = ['metadata']

/**
 * Returns the changed columns.
 * @throws errors of the hash if one is sent, of single fields as for a new transaction,
 *   errors.transaction.processed (153) and errors.transaction.locked (1531) for changes that the
 *   status does not allow
 */
export function readUpdatedColumns(
  work: Work,
  transaction: TransactionRow,
  command: UpdateTransaction,
  { process, card }: ReturnType<UpdateTransaction['readIntent']>,
): TransactionChanges {
  const { payable, updatable } = STATES[transaction.status]
  const hash = command.readHash && checkHash(work, transaction, command.readHash())
  const { payment_request, ...sent } = command.readChanges(transaction)
  const changes = listChanges(transaction, sent, process && hasCardData(card))
  refuseChanges(transaction, changes)
  if (updatable) {
    const order = { ...transaction, ...changes } as TransactionRow
    const checked = checkOrder(order, work.merchant.settings, process || !payable)
    if (payable && checked !== order.payment_details) changes.payment_details = checked
  }
  return {
    ...changes,
    ...(process && { payment_request: { ...transaction.payment_request, ...payment_request } }),
    ...(payable && hash !== undefined && { request_hash: hash }),
    updated_at: work.now,
  }
}

/** Lists the sent columns that change the transaction. */
function listChanges(
  transaction: TransactionRow,
  { amount_text, customer_ref, metadata, payment_method, payment_details, ...sent }: SentColumns,
  paysByCard: boolean,
): TransactionChanges {
  const changes: TransactionChanges = {
    ...sent,
    ...createAmountColumns(transaction, amount_text),
    ...(customer_ref !== undefined &&
      customer_ref !== transaction.customer_ref && { customer_ref }),
    ...(metadata && { metadata: mergeMetadata(transaction.metadata, metadata) }),
  }
  // A request with a card pays with this card, whatever method was chosen before, unless the
  // request itself chooses another method.
  const chosen = payment_method ?? (paysByCard ? 'credit_card' : transaction.payment_method)
  const method =
    isCard(chosen) && isCard(transaction.payment_method) ? transaction.payment_method : chosen
  if (method !== transaction.payment_method) changes.payment_method = method
  const details = checkDetails(payment_details ?? undefined, getRules(method).limits)
  const isNew =
    STATES[transaction.status].payable ||
    !isDeepStrictEqual(details, readRequestedDetails(transaction))
  if (details && isNew) changes.payment_details = { ...transaction.payment_details, ...details }
  return changes
}

type SentColumns = Omit<SentChanges, 'payment_request'>

/**
 * Rejects changes that the status of a finished transaction does not allow. A value that is already
 * stored is not a change: clients send the whole order again to change a part of it.
 */
function refuseChanges(transaction: TransactionRow, changes: TransactionChanges): void {
  const { payable, updatable } = STATES[transaction.status]
  if (payable) return
  const allowed = updatable ? FIELDS_AFTER_AUTHORIZATION : ALWAYS
  const refused = Object.entries(changes).find(
    ([column, value]) =>
      !allowed.includes(column) && !isSameValue(value, transaction[column as keyof TransactionRow]),
  )
  if (refused) throw createNotPayableError(transaction)
}

/** Items and the like are the same when their keys come in the same order, too. */
const isSameValue = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Creates the error of a transaction that cannot be paid or changed. */
export function createNotPayableError({ status }: TransactionRow): GatewayError {
  const { refusal, updatable } = STATES[status]
  const taken = updatable ? 'metadata, items, vat_amount and customer_ref' : 'metadata'
  return new GatewayError(refusal, {
    explain: `The status of the transaction is ${status}. Now only ${taken} can change, with process=false.`,
  })
}

/**
 * Checks the hash over the sent fields, and the stored values for fields that are not sent. A shop
 * whose payer has logged out sends no customer_ref and hashes none (observed: 3.1, 6.1), so that is
 * accepted too.
 */
function checkHash({ merchant, now }: Work, transaction: TransactionRow, hashed: SentHash): string {
  const known = {
    paymentRef: transaction.payment_ref,
    amount: transaction.amount_text,
    currency: transaction.currency,
    test: transaction.test,
  }
  return checkRequestHash(merchant, hashed, {
    known,
    customerRefs: [transaction.customer_ref ?? '', ''],
    now,
  }).hash
}

/**
 * The current amount is not a change, and neither is the authorized amount after a partial capture.
 */
function createAmountColumns(
  transaction: TransactionRow,
  sent: string | undefined,
): TransactionChanges {
  if (sent === undefined) return {}
  const amount = parseAmount(sent)
  if (
    amount.ok &&
    (amount.value === transaction.amount || amount.value === transaction.org_auth_amount)
  )
    return {}
  return { amount_text: sent, amount: amount.ok ? amount.value : null }
}

/**
 * Returns the payer's details as sent: the transaction contains them normalized, or a test person's
 * address.
 */
const readRequestedDetails = ({ payment_request }: TransactionRow): unknown =>
  payment_request.payment_details

/** Returns true for cards and stored cards. */
const isCard = (method: PaymentMethod): boolean => PAYMENT_METHODS[method].answeredBy === 'bank'
