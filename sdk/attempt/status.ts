import type { Scope } from '../scope.ts'
import type { Timeouts } from '../types.ts'
import { exchange } from './exchange.ts'
import { readStatus, type Verdict } from './verdict.ts'

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
