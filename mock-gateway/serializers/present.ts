import type { Refund, StoredCard, Subscription, Transaction } from '../contract/wire.ts'
import { findRows, type Row } from '../storage/rows.ts'
import type { RefundRow } from '../storage/tables/payment-parts.ts'
import type { ListedTable } from '../storage/tables/schema.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { SubscriptionRow } from '../storage/tables/subscriptions.ts'
import { loadRecords, type TransactionRecord } from '../storage/transaction-parts.ts'
import {
  presentCustomer,
  presentPlan,
  presentRefund,
  presentStoredCard,
  presentSubscription,
} from './resources.ts'
import { BY_ID, type References } from './serialize.ts'
import { presentTransaction, type ViewContext } from './transaction.ts'

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
  const findTransaction = await loadCardTransactions(viewing, rows)
  return rows.map((row) => presentStoredCard(row, references, findTransaction(row)))
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

/**
 * Returns the JSON text of the transaction that created or last used a card; undefined if there is
 * none.
 */
type CardTransactions = (card: StoredCardRow) => string | undefined

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

/** A row, with the columns that refer to other rows. */
type ReferencingRow = Readonly<Record<string, unknown>>

/**
 * Loads the objects to show in full, one query for each kind, for these rows and the rows they
 * extend: with `transaction,customer` a refund shows its transaction, and that transaction its
 * customer. An extended transaction has no list of refunds (our decision): otherwise each of a
 * thousand refunds would contain all of them.
 */
export async function loadReferences(
  viewing: ViewContext,
  rows: readonly ReferencingRow[],
): Promise<References> {
  const { queries, merchant, extend } = viewing
  if (extend.size === 0) return BY_ID
  const seen: ReferencingRow[] = [...rows]
  const load = async <Table extends ListedTable>(
    name: string,
    table: Table,
  ): Promise<ReadonlyMap<number, Row<Table>>> => {
    if (!extend.has(name)) return new Map()
    const ids = new Set(seen.map((row) => row[`${name}_id`]).filter((id) => typeof id === 'number'))
    const found = await findRows(queries, table, merchant.id, [...ids])
    seen.push(...found.values())
    return found
  }
  // In this order: each kind may refer to the kinds after it.
  const transactions = await load('transaction', 'transactions')
  const subscriptions = await load('subscription', 'subscriptions')
  const plans = await load('plan', 'plans')
  const storedCards = await load('stored_card', 'stored_cards')
  const findTransaction = await loadCardTransactions(viewing, [...storedCards.values()])
  const customers = await load('customer', 'customers')
  const withoutRefunds = await loadRecords(queries, [...transactions.values()], { refunds: false })
  const records = new Map(withoutRefunds.map((record) => [record.row.id, record]))

  const references: References = {
    transaction(id) {
      const record = records.get(id)
      return record ? presentTransaction(record, viewing, references) : BY_ID.transaction(id)
    },
    subscription(id) {
      const row = id === null ? undefined : subscriptions.get(id)
      return row ? presentSubscription(row, references) : BY_ID.subscription(id)
    },
    plan(id) {
      const row = plans.get(id)
      return row ? presentPlan(row) : BY_ID.plan(id)
    },
    stored_card(id) {
      const row = id === null ? undefined : storedCards.get(id)
      return row ? presentStoredCard(row, references, findTransaction(row)) : BY_ID.stored_card(id)
    },
    customer(id) {
      const row = id === null ? undefined : customers.get(id)
      return row ? presentCustomer(row) : BY_ID.customer(id)
    },
  }
  return references
}
