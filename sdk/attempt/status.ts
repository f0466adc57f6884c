import type { Scope } from '../scope.ts'
import type { Timeouts } from '../types.ts'
import { exchange } from './exchange.ts'
import { readStatus, type Verdict } from './verdict.ts'

/** How often the service is asked about an attempt. */
const TRIES = 3

/** Asks the service what became of an attempt, until it says so or the tries are used up.
 * @param url the attempt's status address; nobody is asked without one
 * @returns what the service says, `no_such_attempt`, or undefined when nobody answers */
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
