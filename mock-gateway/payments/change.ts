import { GatewayError } from '../domain/errors/errors.ts'
import type { TransactionChanges, TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'

/**
 * Changes a transaction, if it is still as it was read.
 * @throws errors.transaction.locked (1531) if another request was first
 */
export async function change(
  { queries }: Pick<Work, 'queries'>,
  read: TransactionRow,
  changes: TransactionChanges,
): Promise<TransactionRow> {
  const row = await updateTransaction(queries, read, changes)
  if (!row)
    throw new GatewayError('errors.transaction.locked', {
      explain:
        'Another request changed the transaction at the same time. Read the transaction again.',
    })
  return row
}
