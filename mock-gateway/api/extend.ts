import { list, type Parameters, text } from '../domain/parameters.ts'
import { presentCustomer } from '../presentation/customer.ts'
import { presentStoredCard } from '../presentation/stored-card.ts'
import type { TransactionExtras } from '../presentation/transaction.ts'
import { findCustomers } from '../storage/customers.ts'
import type { Queries } from '../storage/schema.ts'
import { findStoredCards } from '../storage/stored-cards.ts'
import type { TransactionRow } from '../storage/transactions.ts'

/** Names of `extend`, comma-separated or as a list; names that mean nothing are ignored (observed: 6.8). */
export function readExtend(parameters: Parameters): ReadonlySet<string> {
  const sent = parameters.extend
  const names =
    typeof sent === 'object' && sent !== null
      ? (list(parameters, 'extend', 'errors.request.bad_format') ?? []).map(String)
      : (text(parameters, 'extend') ?? '').split(',')
  return new Set(names.map((name) => name.trim().toLowerCase()))
}

/** Loads what `extend` names for these transactions, in one query for each kind. */
export async function extendTransactions(
  queries: Queries,
  merchantId: number,
  rows: readonly TransactionRow[],
  extend: ReadonlySet<string>,
): Promise<(row: TransactionRow) => TransactionExtras> {
  const ids = (column: 'customer_id' | 'stored_card_id') =>
    [...new Set(rows.map((row) => row[column]))].filter((id) => id !== null)
  const [customers, storedCards] = await Promise.all([
    extend.has('customer') ? findCustomers(queries, merchantId, ids('customer_id')) : undefined,
    extend.has('stored_card') ? findStoredCards(queries, merchantId, ids('stored_card_id')) : undefined,
  ])
  return (row) => {
    const customer = row.customer_id === null ? undefined : customers?.get(row.customer_id)
    const storedCard = row.stored_card_id === null ? undefined : storedCards?.get(row.stored_card_id)
    return {
      customer: customer && presentCustomer(customer),
      stored_card: storedCard && presentStoredCard(storedCard),
    }
  }
}
