import type { TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { OpenWork } from '../work/work.ts'
import { expiryFrom } from './on-page.ts'

/**
 * Gives a payment page all its time once more (WCAG 2.2.1). Where something else has happened to
 * the payment at the same moment, that stays as it is.
 */
export const prolongPage = (
  { write, merchant, now }: OpenWork,
  read: TransactionRow,
): Promise<unknown> =>
  write(({ queries }) =>
    updateTransaction(queries, read, { expires_at: expiryFrom(merchant.settings, now) }),
  )
