import type { TransactionRow } from '../storage/tables/transactions.ts'
import { presentAmount } from './transaction.ts'

/** Log line of a changed payment. */
export interface PaymentLine {
  readonly id: number
  readonly payment_ref: string
  /** As in the API, such as "10.00". */
  readonly amount: string
  readonly currency: string
  /** Current status. */
  readonly outcome: string
  /** Names of the new `log_events`. */
  readonly events: readonly string[]
}

/** Parameters of the request in the line. */
const SENT_FIELDS = ['payment_ref', 'amount', 'currency'] as const

/** @param encrypted names of encrypted parameters, which the log leaves out */
export const createPaymentLine = (
  row: TransactionRow,
  events: readonly string[],
  encrypted: ReadonlySet<string> = new Set(),
): PaymentLine => ({
  id: row.id,
  payment_ref: row.payment_ref,
  amount: presentAmount(row),
  currency: row.currency,
  outcome: row.status,
  events,
  ...Object.fromEntries(
    SENT_FIELDS.filter((name) => encrypted.has(name)).map((name) => [name, '(encrypted)']),
  ),
})
