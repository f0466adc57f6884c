import type { Claim } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'
import { replaceOpenAuthentication } from './authentication/end.ts'
import { paymentRefTaken } from './refusals.ts'

/** A claim to a payment_ref that another transaction has claimed. */
interface PaymentRefClaim {
  /**
   * True if the transaction is paid now; a prepared one can be paid later, after the other has
   * ended.
   */
  readonly process: boolean
  /** The payer sends it from the payment page or a form. */
  readonly form?: true | undefined
}

/**
 * Checks that a transaction may use its payment_ref. If a payer comes back from the bank and starts
 * again, the earlier attempt ends, unless the bank has answered (decision 13).
 * @param claim of another transaction, if one has it
 * @throws errors.payment_ref.processed (146)
 */
export async function takePaymentRef(
  work: Work,
  claim: Claim | undefined,
  { process, form }: PaymentRefClaim,
): Promise<void> {
  if (claim === undefined) return
  const isAtBank = claim.status === '3ds pending'
  if (isAtBank && (!process || (form && (await replaceOpenAuthentication(work, claim.id))))) return
  throw paymentRefTaken()
}
