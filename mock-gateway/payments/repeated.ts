import { type ErrorName, GatewayError } from '../domain/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import { withItsParts } from '../storage/transaction-parts.ts'
import { findTransactionByAttempt } from '../storage/transactions.ts'
import type { PaymentResult, Payments } from './payments.ts'

/**
 * What became of an attempt that is sent again: a browser repeats a request by itself when the connection broke before
 * the answer, and the payer must not be told that the order is refused (our decision).
 * @returns the first answer once more; undefined when it is another attempt, or another order under the same attempt
 */
export async function repeatedAttempt(
  { database }: Payments,
  merchant: Merchant,
  attempt: string | undefined,
  hash: string,
): Promise<PaymentResult | undefined> {
  if (attempt === undefined) return undefined
  const row = await findTransactionByAttempt(database.db, merchant.id, attempt)
  if (row?.request_hash !== hash) return undefined
  const refusal = row.error_name ? firstRefusal(row.error_name, row.error_message) : undefined
  return { ...(await withItsParts(database.db, row)), refusal, notes: [] }
}

const firstRefusal = (name: ErrorName, message: string | null) =>
  new GatewayError(name, {
    description: message ?? undefined,
    explain: 'The answer to the first request with this attempt; a new try needs an attempt of its own',
  })
