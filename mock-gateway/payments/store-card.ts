import { expiresAt } from '../domain/card-expiry.ts'
import type { Merchant } from '../domain/merchant.ts'
import { storedCardToken } from '../domain/references.ts'
import { insertAnonymousCustomer } from '../storage/customers.ts'
import type { Queries } from '../storage/schema.ts'
import { insertStoredCard, markStoredCardUsed } from '../storage/stored-cards.ts'
import { type TransactionRow, updateTransaction } from '../storage/transactions.ts'
import type { Charge } from './charge.ts'
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
  if (refusal) return row
  if (card.kind === 'stored_card') {
    await markStoredCardUsed(queries, card.stored.id, row.id, ambient.now())
    const customerId = row.customer_id ?? card.stored.customer_id
    if (customerId === row.customer_id) return row
    return (await updateTransaction(queries, row, { customer_id: customerId })) ?? row
  }
  if (!row.store_card) return row
  const customerId = row.customer_id ?? (await insertAnonymousCustomer(queries, row.merchant_id, ambient.now())).id
  const stored = await insertStoredCard(queries, {
    ...storedCardRow(card, row.merchant_id, ambient),
    customer_id: customerId,
    currency: row.currency,
    ref: row.customer_ref,
    test: row.test,
    transaction_id: row.id,
  })
  return (await updateTransaction(queries, row, { stored_card_id: stored.id, customer_id: customerId })) ?? row
}

/** The columns of a new stored card that follow from the card. */
function storedCardRow(card: PaymentCard, merchantId: Merchant['id'], ambient: Payments['ambient']) {
  const now = ambient.now()
  return {
    merchant_id: merchantId,
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
