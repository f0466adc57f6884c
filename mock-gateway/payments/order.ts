import { createHrefToken } from '../domain/identifiers.ts'
import { parseAmount } from '../domain/money/money.ts'
import {
  EMPTY_TRANSACTION,
  type NewTransactionRow,
  type OrderColumns,
} from '../storage/tables/transactions.ts'
import type { Work } from '../work/work.ts'
import { calculateExpiryTime } from './on-page.ts'

/** Creates the row of a transaction that has not been charged. */
export function createTransactionRow(
  { merchant, now, randomBytes }: Work,
  columns: OrderColumns,
): NewTransactionRow {
  const amount = parseAmount(columns.amount_text)
  return {
    ...EMPTY_TRANSACTION,
    ...columns,
    merchant_id: merchant.id,
    amount: amount.ok ? amount.value : null,
    status: 'pending',
    href_token: createHrefToken(randomBytes, now),
    expires_at: calculateExpiryTime(merchant.settings, now),
    created_at: now,
    updated_at: now,
  }
}
