import { Fault } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'
import type { Timeouts } from '../types.ts'
import { exchange } from './exchange.ts'
import { watchPolicy } from './policy.ts'
import type { Payload } from './prepare.ts'
import { readAnswer, readStatus, type Verdict } from './verdict.ts'

/** How often the service is asked about an attempt whose answer was lost. */
const STATUS_TRIES = 3

/** Sends the payment by a request of its own, once, in the caller's stack. When the answer is lost the service is asked
 * what became of the attempt; a definite answer wins. The promise is never kept when the scope ends first.
 * @throws Fault of the categories network, api and mpi */
export async function deliver(
  { url, fields, merchantId }: Payload,
  attempt: string,
  timeouts: Timeouts,
  scope: Scope,
): Promise<Verdict> {
  let forbidden: Fault | undefined
  watchPolicy(scope, url, 'connect-src', (fault) => {
    forbidden = fault
  })
  const body = new URLSearchParams()
  for (const [name, value] of fields) body.append(name, value)
  const answer = await exchange({ method: 'POST', url, body, timeout: timeouts.request }, scope)
  const verdict = readAnswer(answer)
  if (verdict.kind !== 'lost') return verdict
  const { code } = verdict
  const { status } = answer
  await scope.pause(0) // a policy violation is told in a task of its own
  if (!status && forbidden) throw forbidden
  const found = await askStatus(statusAddress(url, attempt, merchantId), timeouts, scope)
  if (typeof found === 'object') return found
  const explain = `The answer to the payment was lost (HTTP status ${status}).`
  // Stopped inside the browser and unknown to the service: certainly not sent.
  const outcome = code === 'network.blocked' && found ? 'not_sent' : 'unknown'
  throw new Fault(code, { explain, status, outcome })
}

/** The status address beside the address the payment went to; undefined when that is not the service's own. */
function statusAddress(url: string, attempt: string, merchantId: string): string | undefined {
  const [, base] = /^(.*)\/v[12]\/transactions\/?(?:[?#]|$)/.exec(url) ?? []
  return base && `${base}/v1/attempts/${attempt}?merchant_id=${encodeURIComponent(merchantId)}`
}

/** Asks what became of an attempt until there is a definite answer or the tries are used up; returns the last answer. */
async function askStatus(url: string | undefined, timeouts: Timeouts, scope: Scope): ReturnType<typeof askOnce> {
  let found: Awaited<ReturnType<typeof askOnce>>
  for (let round = 0; url && typeof found !== 'object' && round < STATUS_TRIES; round++) {
    if (round) await scope.pause(timeouts.statusRetry)
    found = await askOnce(url, timeouts, scope)
  }
  return found
}

const askOnce = async (url: string, { status: timeout }: Timeouts, scope: Scope) =>
  readStatus(await exchange({ method: 'GET', url, timeout }, scope))
