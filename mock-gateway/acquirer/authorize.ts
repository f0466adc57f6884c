import type { Authorization, AuthorizationRequest, Decision, DeclineRule, Refusal } from './authorization.ts'
import { authCode, providerRef } from './bank-references.ts'
import { byCreditCheck } from './credit-check.ts'
import { byCvv } from './cvv.ts'
import { byRecurringExpiry } from './recurring.ts'
import { byServiceInstructions } from './service-instructions.ts'

/** With test=false nothing is asked; a merchant may have such payments refused (our decision). */
const byLiveCards: DeclineRule = ({ test, liveCards }) =>
  test || liveCards === 'simulate'
    ? undefined
    : {
        kind: 'failed',
        error: 'errors.service_not_available',
        explain: 'The setting live_cards of this merchant refuses test=false; send test=true and a test card',
      }

/** Reasons to refuse, the first that applies decides. The payer's authentication belongs before the CVV. */
const RULES: readonly DeclineRule[] = [byLiveCards, byServiceInstructions, byCvv, byRecurringExpiry, byCreditCheck]

/**
 * The simulated bank's word (specification: Test-mode behavior). Same request and same random bytes, same word. Nothing
 * happens by it: it may be applied at once or kept.
 */
export function decide(request: AuthorizationRequest): Decision {
  return (
    refusalOf(request) ?? {
      kind: 'approved',
      authCode: authCode(request.randomBytes),
      providerRef: providerRef(request.randomBytes),
    }
  )
}

/** As `decide`, where the payer may have to answer first. */
export function authorize(request: AuthorizationRequest): Authorization {
  return request.source.kind === 'payer' ? (refusalOf(request) ?? { kind: 'pending' }) : decide(request)
}

/** The first reason to refuse, or undefined: all there is to know before the payer has answered elsewhere. */
function refusalOf(request: AuthorizationRequest): Refusal | undefined {
  for (const rule of RULES) {
    const refusal = rule(request)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
