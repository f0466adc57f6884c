import type { Ambient } from '../domain/ambient.ts'
import type { BankDecision } from '../domain/order/decision.ts'
import { type RedirectMethod, rulesOf } from '../domain/order/payment-methods.ts'
import { authCode, providerRef } from './bank-references.ts'

/**
 * Returns the result of a payer's answer in an app or at a bank; undefined for an answer that this
 * method does not have.
 */
export function wordOfPayer(
  method: RedirectMethod,
  answer: string,
  randomBytes: Ambient['randomBytes'],
): BankDecision | undefined {
  const answers = rulesOf(method).asked?.answers ?? {}
  const refusal = Object.hasOwn(answers, answer) ? answers[answer] : undefined
  if (refusal === undefined) return undefined
  if (refusal !== null)
    return {
      ...refusal,
      explain: `The payer chose "${answer}" at the simulated ${method}, which causes this error.`,
    }
  return {
    kind: 'approved',
    authCode: authCode(randomBytes),
    providerRef: providerRef(randomBytes),
  }
}
