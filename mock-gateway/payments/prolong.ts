import type { TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { OpenWork } from '../work/work.ts'
import { expiryFrom } from './on-page.ts'

/**
 * Restarts the time of a payment page (WCAG 2.2.1). If the payment changes at the same time, it
 * stays as it is.
 */
export const prolongPage = (
  { write, merchant, now }: OpenWork,
  read: TransactionRow,
): Promise<unknown> =>
  write(({ queries }) =>
    updateTransaction(queries, read, { expires_at: expiryFrom(merchant.settings, now) }),
  )
