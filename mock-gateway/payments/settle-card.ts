import type { NewCard } from '../cards/payment-card.ts'
import { createStoredCardRow } from '../cards/stored-cards.ts'
import { createAnonymousCustomer } from '../customers/customers.ts'
import { insertRow, updateRow } from '../storage/rows.ts'
import { findOwnerId } from '../storage/stored-cards.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type {
  NewTransactionRow,
  TransactionChanges,
  TransactionRow,
} from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'
import type { Charge } from './charge-by-answer.ts'
import type { PaymentSettlement } from './result.ts'

/**
 * After an approved payment: records the use of a stored card, or stores the card if this was
 * requested (specification: store_card). If only storing fails, the log says so.
 * @returns the transaction, with its stored card and customer
 */
export async function settleCard(
  work: Work,
  row: TransactionRow,
  { card, storingFails }: Charge,
): Promise<PaymentSettlement> {
  if (!card) return { row, events: [] }
  if (card.kind === 'stored_card') return { row: await noteUse(work, row, card.stored), events: [] }
  if (!row.store_card) return { row, events: [] }
  if (storingFails)
    return { row, events: [{ event: 'not_stored', error: 'errors.stored_card.store.declined' }] }
  const paid = await storeCard(work, row, card)
  return {
    row: paid,
    events:
      paid.stored_card_id === null
        ? []
        : [{ event: 'card_stored', stored_card_id: paid.stored_card_id }],
  }
}

/**
 * Creates a customer without a name for a card that a payment will store, if the transaction has no
 * customer. It runs before the transaction is written, so that simultaneous payments take their
 * locks in one order and cannot deadlock.
 */
export async function createCardOwner(
  { queries, now }: Work,
  {
    merchant_id,
    customer_id,
    store_card,
  }: Pick<NewTransactionRow, 'merchant_id' | 'customer_id' | 'store_card'>,
  charged: Charge | undefined,
): Promise<number | null> {
  if (customer_id || !store_card || !charged || !paysWithNewCard(charged))
    return customer_id ?? null
  return (await insertRow(queries, 'customers', createAnonymousCustomer(merchant_id, now))).id
}

const paysWithNewCard = ({ answer, card, storingFails }: Charge): boolean =>
  answer.kind === 'approved' && card?.kind === 'card' && !storingFails

/**
 * Records the use of a stored card. A transaction without a customer gets the customer of the card.
 */
async function noteUse({ queries, now }: Work, row: TransactionRow, card: StoredCardRow) {
  await updateRow(queries, 'stored_cards', card.id, { transaction_id: row.id, updated_at: now })
  if (row.customer_id !== null) return row
  const customerId = await findOwnerId(queries, card)
  return customerId === null ? row : change({ queries }, row, { customer_id: customerId })
}

/** Its owner is the result of `createCardOwner` if the transaction names no customer. */
async function storeCard(work: Work, row: TransactionRow, card: NewCard) {
  const stored = await insertRow(work.queries, 'stored_cards', {
    ...createStoredCardRow(work, card),
    merchant_id: row.merchant_id,
    customer_id: row.customer_id,
    currency: row.currency,
    ref: row.customer_ref,
    test: row.test,
    recurring: false,
    transaction_id: row.id,
  })
  return change(work, row, { stored_card_id: stored.id })
}

/**
 * Changes the row that this database transaction has written: no other request can have changed it.
 */
async function change(
  { queries }: Pick<Work, 'queries'>,
  row: TransactionRow,
  changes: TransactionChanges,
) {
  return (await updateTransaction(queries, row, changes)) ?? row
}
