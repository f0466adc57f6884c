import type { Claim } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'
import { replaceOpenAuthentication } from './authentication/end.ts'
import { paymentRefTaken } from './refusals.ts'

/** Who wants a payment_ref that another transaction has for itself. */
interface PaymentRefClaim {
  /**
   * True when the transaction is paid now; one that is only prepared may be paid later, when the
   * other has ended.
   */
  readonly process: boolean
  /** The payer sends it from the payment page or a form. */
  readonly form?: true | undefined
}

/**
 * Sees to it that a transaction may have its payment_ref. A payer who comes back from the bank and
 * begins anew leaves the attempt there (decision 13): it ends, unless the bank has answered.
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
