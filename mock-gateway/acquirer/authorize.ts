import type { Ambient } from '../domain/ambient.ts'
import { getEntryByKey } from '../domain/errors/errors.ts'
import { getRules, type RedirectMethod } from '../domain/order/payment-methods.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  type BankDecision,
  type BankRefusal,
  createAuthCode,
  createProviderRef,
  type DeclineRule,
} from './authorization.ts'
import { declineByInstructions } from './service-instructions.ts'
import { declineByTestMode } from './test-mode.ts'
import { isImmediate } from './three-d-secure/plan.ts'
import { decideAfterAuthentication } from './three-d-secure/verdict.ts'

/**
 * Decides payments with test=false without a bank. A merchant can let the gateway reject such
 * payments (our decision).
 */
const rejectLiveCards: DeclineRule = ({ test, liveCards }) =>
  test || liveCards === 'simulate'
    ? undefined
    : {
        kind: 'failed',
        error: 'errors.service_not_available',
        explain:
          "The merchant's setting live_cards rejects payments with test=false. Send test=true and a test card.",
      }

/** Applies the merchant's rules and the fraud check before the bank. */
const declineByScreening: DeclineRule = ({ screened }) => screened

/** Applies the outcome forced through `/_control/payments/next` or the console. */
const declineByForce: DeclineRule = ({ forced }) =>
  forced === undefined || forced === 'approved'
    ? undefined
    : {
        kind: getEntryByKey(forced).name === 'errors.payment.declined' ? 'declined' : 'failed',
        error: forced,
        explain: 'This result was forced, with /_control/payments/next or in the console.',
      }

/** Reasons to refuse before the payer is authenticated, the first that applies decides. */
const FIRST_RULES: readonly DeclineRule[] = [
  declineByScreening,
  declineByForce,
  rejectLiveCards,
  declineByInstructions,
]

/** Reasons to refuse, in their order. */
const RULES: readonly DeclineRule[] = [...FIRST_RULES, declineByTestMode]

/**
 * Decides the simulated bank's answer (specification: Test-mode behavior). The same request and
 * random bytes give the same answer. Deciding has no effect, so the answer can be applied
 * immediately or stored.
 */
export function decide(request: AuthorizationRequest): BankDecision {
  return (
    findDecline(request, RULES) ?? {
      kind: 'approved',
      authCode: createAuthCode(request.randomBytes),
      providerRef: createProviderRef(request.randomBytes),
    }
  )
}

/**
 * Decides like `decide`, for payments that may need the payer's answer or an authentication first.
 */
export function authorize(request: AuthorizationRequest): Authorization {
  if (request.source.kind === 'payer') return findDecline(request, RULES) ?? { kind: 'pending' }
  const word = decide(request)
  const { authentication, unavailable = 'accept' } = request
  if (authentication === undefined || findDecline(request, FIRST_RULES)) return word
  return isImmediate(authentication)
    ? { ...decideAfterAuthentication(authentication.result, word, unavailable), authentication }
    : { kind: 'challenge', authentication, word }
}

/**
 * Returns the first reason to decline that is known before the payer answers elsewhere; undefined
 * if there is none.
 */
function findDecline(
  request: AuthorizationRequest,
  rules: readonly DeclineRule[],
): BankRefusal | undefined {
  if (request.forced === 'approved') return undefined
  for (const rule of rules) {
    const refusal = rule(request)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/**
 * Returns the result of a payer's answer in an app or at a bank; undefined for an answer that this
 * method does not have.
 */
export function decidePayerAnswer(
  method: RedirectMethod,
  answer: string,
  randomBytes: Ambient['randomBytes'],
): BankDecision | undefined {
  const answers = getRules(method).approval?.answers ?? {}
  const refusal = Object.hasOwn(answers, answer) ? answers[answer] : undefined
  if (refusal === undefined) return undefined
  if (refusal !== null)
    return {
      ...refusal,
      explain: `The payer chose "${answer}" at the simulated ${method}, which causes this error.`,
    }
  return {
    kind: 'approved',
    authCode: createAuthCode(randomBytes),
    providerRef: createProviderRef(randomBytes),
  }
}
