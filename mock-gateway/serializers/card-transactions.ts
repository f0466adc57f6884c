import { findRows } from '../storage/rows.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import { loadRecords } from '../storage/transaction-parts.ts'
import { presentTransaction } from './transaction.ts'
import type { ViewContext } from './view-context.ts'

/**
 * Returns the JSON text of the transaction that created or last used a card; undefined if there is
 * none.
 */
export type CardTransactions = (card: StoredCardRow) => string | undefined

/**
 * Loads the transactions of these cards (specification: Stored card, transaction), in one query.
 */
export async function loadCardTransactions(
  viewing: ViewContext,
  cards: readonly StoredCardRow[],
): Promise<CardTransactions> {
  const ids = new Set(cards.flatMap(({ transaction_id }) => transaction_id ?? []))
  const rows = await findRows(viewing.queries, 'transactions', viewing.merchant.id, [...ids])
  const records = await loadRecords(viewing.queries, [...rows.values()])
  const texts = new Map(
    records.map((record) => [record.row.id, JSON.stringify(presentTransaction(record, viewing))]),
  )
  return ({ transaction_id }) => (transaction_id === null ? undefined : texts.get(transaction_id))
}
