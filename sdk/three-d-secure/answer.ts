import { isApiError, type Verdict } from '../attempt/verdict.ts'
import type { Pair } from '../form/snapshot.ts'
import { parseJson } from '../json.ts'

/**
 * State of an authentication: pending, passed, failed, or rejected by the service. `isAsked`: the
 * bank has started a challenge. `isGone`: the payer has no page of the bank open.
 */
export type Authentication =
  | { kind: 'pending'; isGone: boolean; isAsked: boolean }
  /** The fields to send with the payment; empty if the message has no reference. */
  | { kind: 'passed'; fields: readonly Pair[] }
  /** Failure, with the service's error name if it sent one. */
  | { kind: 'failed'; error: string | undefined }
  /** The service rejects every payment like this, from any payer. */
  | Refusal

/** Rejection of a payment by the service. */
export type Refusal = Extract<Verdict, { kind: 'refused' }>

/**
 * Reads the message of a window, JSON text or object, or the answer of the status request. Returns
 * undefined for anything else, and for another authentication.
 */
export function readAuthentication(data: unknown, nonce: string): Authentication | undefined {
  const answer: Record<string, unknown> = Object(typeof data === 'string' ? parseJson(data) : data)
  const { event, status, success, error, mpi_ref: ref, eci, provider_ref } = answer
  if (event !== 'mpi' || answer.nonce !== nonce) return undefined
  if (status === 'pending') {
    return { kind: 'pending', isGone: answer.at_bank === false, isAsked: !!answer.challenge }
  }
  if (success === false) {
    const refusal = { ...answer, name: error }
    // Errors of the payer or of the payer's bank, which are not errors of the payment.
    const isOfPayer = /^errors\.(mpi|payment|transaction\.timeout)/.test(String(error))
    if (!isOfPayer && isApiError(refusal)) return { kind: 'refused', error: refusal, status: 0 }
    return { kind: 'failed', error: typeof error === 'string' ? error : undefined }
  }
  if (success !== true) return undefined
  // A payment calls it ref, the bank's answer mpi_ref (observed: 3-D Secure in the browser).
  const fields = Object.entries({ ref, eci, provider_ref })
    .map(([name, value]): Pair => [name, String(value ?? '')])
    .filter(([, value]) => value)
  return { kind: 'passed', fields: ref ? fields : [] }
}
