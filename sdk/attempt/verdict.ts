import { parseJson } from '../json.ts'
import type { Scope } from '../scope.ts'
import type { FaultCode, Timeouts, Transaction } from '../types.ts'
import { type Answer, exchange } from './exchange.ts'

/** The service's error (specification: Errors). */
export interface ApiError {
  name: string
  code: number
  description: string
  /** The service's explanation for the integrator, if any. */
  explain?: string
}

/** The service's definite result of a payment. */
export type Verdict =
  | { kind: 'paid' | 'pending'; transaction: Transaction }
  | { kind: 'refused'; error: ApiError; status: number }

/** Rejection of a payment by the service. */
export type Refusal = Extract<Verdict, { kind: 'refused' }>

/** An indefinite result, and its reason. */
export interface IndefiniteResult {
  kind: 'lost'
  code: FaultCode
}

/**
 * Reads the answer to a payment. Only a transaction with a known status and the service's own error
 * are definite; a proxy's page, a server error or no answer leave the outcome open.
 */
export function readAnswer({ status, text, explain, failure }: Answer): Verdict | IndefiniteResult {
  const body = parseJson(text)
  const verdict = status >= 200 && status < 300 && isTransaction(body) && readTransaction(body)
  if (verdict) return verdict
  if (status >= 400 && status < 500 && isApiError(body))
    return { kind: 'refused', error: { ...body, explain }, status }
  return { kind: 'lost', code: failure || (status < 500 ? 'api.malformed' : 'network.unreachable') }
}

/** Reads the answer of the status request; undefined if the result is open. */
function readStatus({ status, text }: Answer): Verdict | 'no_such_attempt' | undefined {
  const { state, transaction, error } = ((status === 200 && parseJson(text)) || {}) as Record<
    string,
    unknown
  >
  if (state === 'unknown') return 'no_such_attempt'
  if (state === 'done' && isTransaction(transaction)) return readTransaction(transaction)
  return state === 'done' && isApiError(error) ? { kind: 'refused', error, status: 0 } : undefined
}

const UNKNOWN_ERROR: ApiError = { name: 'errors.payment.declined', code: 129, description: '' }

/** Returns the result by the status (specification: Transaction); undefined if open. */
function readTransaction(transaction: Transaction): Verdict | undefined {
  const { status, error } = transaction
  if (/^(declined|failed)$/.test(status))
    return { kind: 'refused', error: isApiError(error) ? error : UNKNOWN_ERROR, status: 200 }
  if (/^(approved|authorized)$/.test(status)) return { kind: 'paid', transaction }
  return /^(3ds )?pending$/.test(status) ? { kind: 'pending', transaction } : undefined
}

const isTransaction = (body: unknown): body is Transaction => {
  const { id, status } = (body || {}) as Record<string, unknown>
  return typeof id === 'number' && typeof status === 'string'
}

/** Returns true for an error of the service. */
export const isApiError = (body: unknown): body is ApiError => {
  const { name, code, description } = (body || {}) as Record<string, unknown>
  return (
    typeof name === 'string' && typeof description === 'string' && Number.isInteger(Number(code))
  )
}

/** Maximum number of status requests for an attempt. */
const TRIES = 3

/**
 * Requests the status of an attempt until the service returns one, or the requests are used up.
 * @param url the attempt's status address; no request is sent without one
 * @returns the status, `no_such_attempt`, or undefined without an answer
 */
export async function askStatus(
  url: string | undefined,
  { status: timeout, statusRetry }: Timeouts,
  scope: Scope,
): Promise<Verdict | 'no_such_attempt' | undefined> {
  let found: ReturnType<typeof readStatus>
  for (let round = 0; url && typeof found !== 'object' && round < TRIES; round++) {
    if (round) await scope.pause(statusRetry)
    found = readStatus(await exchange({ url, timeout }, scope))
  }
  return found
}
