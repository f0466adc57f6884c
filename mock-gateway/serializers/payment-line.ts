import type { TransactionRow } from '../storage/tables/transactions.ts'
import { amountText } from './transaction.ts'

/** What the log tells of a payment to which something happened. */
export interface PaymentLine {
  readonly id: number
  readonly payment_ref: string
  /** As the API shows it, such as "10.00". */
  readonly amount: string
  readonly currency: string
  /** The status that it has now. */
  readonly outcome: string
  /** What happened, by the names of `log_events`. */
  readonly events: readonly string[]
}

/** What the request sent of it. */
const SENT_FIELDS = ['payment_ref', 'amount', 'currency'] as const

/** @param encrypted what came encrypted, which the log does not repeat */
export const paymentLine = (
  row: TransactionRow,
  events: readonly string[],
  encrypted: ReadonlySet<string> = new Set(),
): PaymentLine => ({
  id: row.id,
  payment_ref: row.payment_ref,
  amount: amountText(row),
  currency: row.currency,
  outcome: row.status,
  events,
  ...Object.fromEntries(
    SENT_FIELDS.filter((name) => encrypted.has(name)).map((name) => [name, '(encrypted)']),
  ),
})
