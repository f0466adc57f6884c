import { type ErrorKey, GatewayError } from '../domain/errors/errors.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import { findTransactionByAttempt } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'
import type { CreateTransaction } from './commands.ts'
import type { PaymentOutcome, PaymentResult } from './result.ts'

/**
 * Returns the first answer of an attempt that is sent again: browsers repeat a request if the
 * connection breaks before the answer, and the payer must not see an error (our decision).
 * @returns undefined for the first request of an attempt
 * @throws errors.payment_ref.processed (146) if the attempt belongs to another order
 */
export async function repeatedAttempt(
  { queries, merchant }: Work,
  { attempt, hash }: CreateTransaction,
): Promise<PaymentResult | undefined> {
  if (attempt === undefined) return undefined
  const row = await findTransactionByAttempt(queries, merchant.id, attempt)
  if (!row) return undefined
  if ((row.request_hash ?? '') !== hash)
    throw new GatewayError('errors.payment_ref.processed', {
      explain:
        'This mondido_attempt was used for another order. Send a new value for a new attempt.',
    })
  return { ...(await loadRecord(queries, row)), ...readFirstOutcome(row), notes: [] }
}

function readFirstOutcome({ status, error_name, error_message }: TransactionRow): PaymentOutcome {
  if (status === 'declined' || status === 'failed')
    return {
      kind: status,
      refusal: firstRefusal(error_name ?? 'errors.payment.failed', error_message),
    }
  if (status === 'pending') return { kind: 'pending' }
  return { kind: status === '3ds pending' ? 'challenge' : 'approved' }
}

const firstRefusal = (key: ErrorKey, message: string | null) =>
  new GatewayError(key, {
    description: message ?? undefined,
    explain:
      'This is the answer to the first request with this mondido_attempt. Send a new value for a new attempt.',
  })
