import { GatewayError } from '../domain/errors/errors.ts'
import { readId } from '../domain/identifiers.ts'
import type { CaptureTransaction, CreateRefund } from '../payments/commands.ts'
import { type Parameters, pick, text } from './parameters/parameters.ts'

/** Parameters of a capture (specification: Capture). */
export const CAPTURE_TRANSACTION_FIELDS = ['amount'] as const

export const readCaptureTransaction = (
  id: number | undefined,
  parameters: Parameters,
): CaptureTransaction => ({
  id,
  amount: text(pick(parameters, CAPTURE_TRANSACTION_FIELDS), 'amount'),
})

/** Parameters of a refund (specification: Refunds; observed: 6.4). */
export const CREATE_REFUND_FIELDS = ['transaction_id', 'amount', 'reason', 'ref'] as const

/** @throws errors.transaction_id.missing (152) */
export function readCreateRefund(parameters: Parameters): CreateRefund {
  const sent = pick(parameters, CREATE_REFUND_FIELDS)
  const transactionId = text(sent, 'transaction_id')
  if (transactionId === undefined)
    throw new GatewayError('errors.transaction_id.missing', {
      explain: 'transaction_id is missing. Send the id of the transaction to refund.',
    })
  return {
    transactionId: readId(transactionId),
    amount: text(sent, 'amount'),
    reason: text(sent, 'reason'),
    ref: text(sent, 'ref'),
  }
}
