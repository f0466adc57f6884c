import { isApiError, type Verdict } from '../attempt/verdict.ts'
import type { Pair } from '../form/snapshot.ts'
import { parseJson } from '../json.ts'

/** What became of an authentication: the payer is still at the bank, or has gone, or the bank decided. */
export type Authentication =
  | { kind: 'pending'; isGone: boolean }
  /** What the payment is sent with; empty when the message may not say it. */
  | { kind: 'passed'; fields: readonly Pair[] }
  /** With the service's error name, where it gives one. */
  | { kind: 'failed'; error: string | undefined }
  /** The service takes no such payment, whoever the payer is. */
  | Refusal

/** The service's no to a payment. */
export type Refusal = Extract<Verdict, { kind: 'refused' }>

/** Parameters of a payment by the names the bank's answer has for them (observed: 3-D Secure in the browser). */
const FIELDS: readonly Pair[] = [
  ['ref', 'mpi_ref'],
  ['eci', 'eci'],
  ['provider_ref', 'provider_ref'],
]

/** Reads a window's message, JSON text or object, or the answer of the status lookup; undefined for what is neither, or
 * about another authentication. */
export function readAuthentication(data: unknown, nonce: string): Authentication | undefined {
  const answer: Record<string, unknown> = Object(typeof data === 'string' ? parseJson(data) : data)
  const { event, status, success, error } = answer
  if (event !== 'mpi' || answer.nonce !== nonce) return undefined
  if (status === 'pending') return { kind: 'pending', isGone: answer.at_bank === false }
  if (success === false) {
    const refusal = { ...answer, name: error }
    // Of the payer's bank, or of the payer: no error of the payment.
    const isOfPayer = /^errors\.(mpi|payment|transaction\.timeout)/.test(String(error))
    if (!isOfPayer && isApiError(refusal)) return { kind: 'refused', error: refusal, status: 0 }
    return { kind: 'failed', error: typeof error === 'string' ? error : undefined }
  }
  if (success !== true) return undefined
  const fields = FIELDS.map(([name, key]): Pair => [name, String(answer[key] ?? '')]).filter(([, value]) => value)
  return { kind: 'passed', fields: answer.mpi_ref ? fields : [] }
}
