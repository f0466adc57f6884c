import { findRows, type Row } from '../storage/rows.ts'
import type { ListedTable } from '../storage/tables/schema.ts'
import { loadRecords } from '../storage/transaction-parts.ts'
import { loadCardTransactions } from './card-transactions.ts'
import { presentCustomer } from './customer.ts'
import { presentPlan } from './plan.ts'
import { BY_ID, type References } from './references.ts'
import { presentStoredCard } from './stored-card.ts'
import { presentSubscription } from './subscription.ts'
import { presentTransaction } from './transaction.ts'
import type { ViewContext } from './view-context.ts'

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
  const transactionOf = await loadCardTransactions(viewing, [...storedCards.values()])
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
      return row ? presentStoredCard(row, references, transactionOf(row)) : BY_ID.stored_card(id)
    },
    customer(id) {
      const row = id === null ? undefined : customers.get(id)
      return row ? presentCustomer(row) : BY_ID.customer(id)
    },
  }
  return references
}
