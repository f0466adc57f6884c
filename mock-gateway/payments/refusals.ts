import { GatewayError, getKey } from '../domain/errors/errors.ts'
import type { BankRefusal } from '../domain/order/decision.ts'

export const createRefTakenError = (cause?: unknown) =>
  new GatewayError('errors.payment_ref.processed', {
    explain:
      'Another transaction with this payment_ref is authorized, approved or being processed. Send a new payment_ref for each order.',
    cause,
  })

export const isPaymentRefTaken = (error: unknown): boolean =>
  error instanceof GatewayError && error.entry.name === 'errors.payment_ref.processed'

/**
 * Turns an error that rejects a request into a decline of the payment.
 * @throws the error if it is of another kind
 */
export function convertToDecline(error: unknown): BankRefusal {
  if (!(error instanceof GatewayError)) throw error
  return { kind: 'failed', error: getKey(error.entry), explain: error.explain ?? '' }
}

export const createNotFoundError = () =>
  new GatewayError('errors.transaction.not_found', {
    explain:
      'The merchant has no transaction with this id. GET /v1/transactions lists its transactions.',
  })

/** Creates the error of an invalid amount of a capture or a refund. */
export const createAmountError = (cause: GatewayError) =>
  new GatewayError('errors.amount.invalid', { explain: cause.explain, cause })
