import { type Presenting, presentTransaction } from '../../presentation/transaction.ts'
import { findRows } from '../../storage/rows.ts'
import type { Queries } from '../../storage/schema.ts'
import type { StoredCardRow } from '../../storage/stored-cards.ts'
import { withParts } from '../../storage/transaction-parts.ts'

/** Looks up the JSON text of the transaction that created or last used a card; undefined when none did. */
export type CardTransactions = (card: StoredCardRow) => string | undefined

/** Loads the transactions that these cards show (specification: Stored card, transaction), in one query. */
export async function loadCardTransactions(
  queries: Queries,
  presenting: Presenting,
  cards: readonly StoredCardRow[],
): Promise<CardTransactions> {
  const ids = new Set(cards.flatMap(({ transaction_id }) => transaction_id ?? []))
  const rows = await findRows(queries, 'transactions', presenting.merchant.id, [...ids])
  const records = await withParts(queries, [...rows.values()])
  const texts = new Map(
    records.map((record) => [record.row.id, JSON.stringify(presentTransaction(record, presenting))]),
  )
  return ({ transaction_id }) => (transaction_id === null ? undefined : texts.get(transaction_id))
}
