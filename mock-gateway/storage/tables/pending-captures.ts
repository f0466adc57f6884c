import type { ForcedOutcome } from '../../domain/order/decision.ts'
import { amount, id, key, moment, reference, text } from './columns.ts'

/** A capture that the bank has received and not answered yet. */
export const pendingCaptureColumns = {
  id: key(),
  /** Transaction, which has at most one pending capture. */
  transaction_id: reference('transactions'),
  merchant_id: id(),
  amount: amount(),
  /** The bank's future answer. */
  outcome: text<ForcedOutcome>(),
  /** Time of the answer: epoch milliseconds by the merchant's clock. */
  answer_at: moment(),
}
