import type { Refund, StoredCard, Subscription, Transaction } from '../contract/wire.ts'
import type { RefundRow } from '../storage/tables/refunds.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import { loadCardTransactions } from './card-transactions.ts'
import { loadReferences } from './extend.ts'
import { presentStoredCard } from './stored-card.ts'
import { presentSubscription } from './subscription.ts'
import { presentTransaction } from './transaction.ts'
import { presentRefund } from './transaction-parts.ts'

import type { ViewContext } from './view-context.ts'

/** Serializes transactions with the objects they refer to. */
export async function presentTransactions(
  viewing: ViewContext,
  records: readonly TransactionRecord[],
): Promise<Transaction[]> {
  const references = await loadReferences(
    viewing,
    records.map(({ row }) => row),
  )
  return records.map((record) => presentTransaction(record, viewing, references))
}

/** Like `presentTransactions`; each card contains the transaction that used it last. */
export async function presentStoredCards(
  viewing: ViewContext,
  rows: readonly StoredCardRow[],
): Promise<StoredCard[]> {
  const references = await loadReferences(viewing, rows)
  const transactionOf = await loadCardTransactions(viewing, rows)
  return rows.map((row) => presentStoredCard(row, references, transactionOf(row)))
}

/** Like `presentTransactions`. */
export async function presentRefunds(
  viewing: ViewContext,
  rows: readonly RefundRow[],
): Promise<Refund[]> {
  const references = await loadReferences(viewing, rows)
  return rows.map((row) => presentRefund(row, references))
}

/** Like `presentTransactions`. */
export async function presentSubscriptions(
  viewing: ViewContext,
  rows: readonly SubscriptionRow[],
): Promise<Subscription[]> {
  const references = await loadReferences(viewing, rows)
  return rows.map((row) => presentSubscription(row, references))
}
