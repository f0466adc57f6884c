import { anonymousCustomer } from '../customers/customers.ts'
import type { Ambient } from '../domain/ambient.ts'
import { expiresAt } from '../domain/card-expiry.ts'
import { storedCardToken } from '../domain/references.ts'
import { insertCustomer } from '../storage/customers.ts'
import type { Queries } from '../storage/schema.ts'
import { findOwnerId, insertStoredCard, type StoredCardRow, updateStoredCard } from '../storage/stored-cards.ts'
import { type NewTransactionRow, type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
import { notStoredStep } from './log-events.ts'
import type { PaymentCard } from './payment-card.ts'
import type { Payments, Settled } from './payments.ts'

/**
 * After a payment: notes the use of a stored card, or stores the card that paid when that was asked for
 * (specification: store_card). Nothing is stored of a payment that the bank refused; when only storing fails, the log
 * says so.
 * @returns the transaction, with its stored card and customer, and steps for its log beyond the payment itself
 */
export async function settleStoredCard(
  { ambient }: Payments,
  queries: Queries,
  row: TransactionRow,
  { card, refusal, storingFails }: Charge,
): Promise<Settled> {
  if (refusal || !card) return { row, steps: [] }
  if (card.kind === 'stored_card') return { row: await noteUse(queries, row, card.stored, ambient.now()), steps: [] }
  if (!row.store_card) return { row, steps: [] }
  if (storingFails) return { row, steps: [notStoredStep] }
  return { row: await store(ambient, queries, row, card), steps: [] }
}

/**
 * The nameless customer whose card a payment is about to store, when the transaction has no customer. It is made before
 * the transaction is written: payments at the same moment then wait for each other in one order, never in a circle.
 */
export async function ownerOfNewCard(
  queries: Queries,
  { merchant_id, customer_id, store_card }: Pick<NewTransactionRow, 'merchant_id' | 'customer_id' | 'store_card'>,
  charged: Charge | undefined,
  now: number,
): Promise<number | null> {
  const stores = store_card && charged?.card?.kind === 'card' && !charged.refusal && !charged.storingFails
  if (customer_id || !stores) return customer_id ?? null
  return (await insertCustomer(queries, anonymousCustomer(merchant_id, now))).id
}

/** Who pays with a card is its customer, where the transaction names none. */
async function noteUse(queries: Queries, row: TransactionRow, card: StoredCardRow, now: number) {
  await updateStoredCard(queries, card.id, { transaction_id: row.id, updated_at: now })
  if (row.customer_id !== null) return row
  const customerId = await findOwnerId(queries, card)
  return customerId === null ? row : change(queries, row, { customer_id: customerId })
}

/** Its owner is `ownerOfNewCard` where the transaction names none. */
async function store(ambient: Ambient, queries: Queries, row: TransactionRow, card: PaymentCard) {
  const stored = await insertStoredCard(queries, {
    ...newStoredCardRow(card, ambient),
    merchant_id: row.merchant_id,
    customer_id: row.customer_id,
    currency: row.currency,
    ref: row.customer_ref,
    test: row.test,
    recurring: false,
    transaction_id: row.id,
  })
  return change(queries, row, { stored_card_id: stored.id })
}

/** Changes the row that this very database transaction has just written: nobody can have come between. */
async function change(queries: Queries, row: TransactionRow, changes: Parameters<typeof updateTransaction>[2]) {
  return (await updateTransaction(queries, row, changes)) ?? row
}

/** The columns of a new stored card that follow from the card. */
export function newStoredCardRow(card: PaymentCard, ambient: Ambient) {
  const now = ambient.now()
  return {
    token: storedCardToken(ambient.randomBytes),
    card_holder: card.holder,
    card_number: card.maskedNumber,
    card_expiry: card.expiry,
    card_type: card.brand,
    status: 'active' as const,
    expires: expiresAt(card.expiry),
    created_at: now,
    updated_at: now,
  }
}
