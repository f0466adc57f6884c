import type { Authorization } from '../acquirer/authorization.ts'
import type { TransactionStatus } from '../contract/transaction.ts'
import { entryByKey } from '../domain/errors/errors.ts'
import type { Happening } from '../events/happenings.ts'
import type { Instrument } from './instrument.ts'

/**
 * What the log tells of an answer: of the bank, of a credit check, or of a payer who was asked.
 * @param form true when the payer sent it from the payment page or a form
 */
export function answered(
  event: Instrument['event'],
  answer: Authorization,
  status: TransactionStatus,
  form?: boolean,
): Happening {
  const isRefused = answer.kind === 'declined' || answer.kind === 'failed'
  return {
    event,
    status,
    ...(form ? { form } : {}),
    ...(isRefused ? { error: entryByKey(answer.error).name } : {}),
  }
}
