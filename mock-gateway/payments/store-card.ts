import type { Ambient } from '../domain/ambient.ts'
import { expiresAt } from '../domain/card-expiry.ts'
import { storedCardToken } from '../domain/references.ts'
import { insertCustomer } from '../storage/customers.ts'
import type { Queries } from '../storage/schema.ts'
import { insertStoredCard, updateStoredCard } from '../storage/stored-cards.ts'
import { type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
import { anonymousCustomer } from './customers.ts'
import type { PaymentCard } from './payment-card.ts'
import type { Payments } from './payments.ts'

/**
 * After a payment: notes the use of a stored card, or stores the card that paid when that was asked for
 * (specification: store_card). Nothing is stored of a payment that the bank refused.
 * @returns the transaction, with its stored card and customer
 */
export async function settleStoredCard(
  { ambient }: Payments,
  queries: Queries,
  row: TransactionRow,
  { card, refusal }: Charge,
): Promise<TransactionRow> {
  if (refusal || !card) return row
  if (card.kind === 'stored_card') {
    await updateStoredCard(queries, card.stored.id, { transaction_id: row.id, updated_at: ambient.now() })
    const customerId = row.customer_id ?? card.stored.customer_id
    return customerId === row.customer_id ? row : change(queries, row, { customer_id: customerId })
  }
  if (!row.store_card) return row
  const now = ambient.now()
  const customerId = row.customer_id ?? (await insertCustomer(queries, anonymousCustomer(row.merchant_id, now))).id
  const stored = await insertStoredCard(queries, {
    ...newStoredCardRow(card, ambient),
    merchant_id: row.merchant_id,
    customer_id: customerId,
    currency: row.currency,
    ref: row.customer_ref,
    test: row.test,
    transaction_id: row.id,
  })
  return change(queries, row, { stored_card_id: stored.id, customer_id: customerId })
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
    recurring: 0 as const,
    created_at: now,
    updated_at: now,
  }
}
