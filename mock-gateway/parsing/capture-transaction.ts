import type { CaptureTransaction } from '../payments/commands.ts'
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
