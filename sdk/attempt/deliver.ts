import { isReadAlong, tell } from '../advice/tell.ts'
import { Fault } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'
import type { FaultCode, Timeouts } from '../types.ts'
import { exchange } from './exchange.ts'
import type { Payload } from './payload.ts'
import { watchPolicy } from './policy.ts'
import { askStatus } from './status.ts'
import { readAnswer, type Verdict } from './verdict.ts'

/** Failures inside the browser: if the service does not know the attempt, nothing was sent. */
const STOPPED: readonly FaultCode[] = ['network.csp', 'network.blocked']

/**
 * Sends the payment with a request, once, synchronously. If the answer is lost, the service is
 * asked for the attempt's status; a definite answer wins. The promise stays pending if the scope
 * ends first.
 * @throws Fault of the categories network and api
 */
export async function deliver(
  { url, statusUrl, fields }: Payload,
  timeouts: Timeouts,
  scope: Scope,
): Promise<Verdict> {
  const forbidden: Fault[] = []
  watchPolicy(scope, url, 'connect-src', (fault) => forbidden.push(fault))
  const body = new URLSearchParams()
  for (const [name, value] of fields) body.append(name, value)
  const answer = await exchange({ url, body, timeout: timeouts.request }, scope)
  const verdict = readAnswer(answer)
  const { explain } = answer
  if (explain && verdict.kind !== 'refused' && isReadAlong()) tell('warn', 'api.noted', { explain })
  if (verdict.kind !== 'lost') return verdict
  const { status } = answer
  await scope.pause(0) // policy violations are reported in a later task
  const before = forbidden.length
  const found = await askStatus(statusUrl, timeouts, scope)
  if (typeof found === 'object') return found
  const [first] = forbidden
  const code = (!status && first?.code) || verdict.code
  const facts = first?.details.facts || { url, status }
  // If the policy also forbids the status request, it forbids the gateway's address: it stopped the
  // payment, not a redirect of the answer.
  const isOriginForbidden = code === 'network.csp' && before > 0 && forbidden.length > before
  // Offline computers stop requests immediately, except those to themselves.
  const isStopped =
    code === 'network.offline' || isOriginForbidden || (found && STOPPED.includes(code))
  throw new Fault(code, { facts, status, outcome: isStopped ? 'not_sent' : 'unknown' })
}
