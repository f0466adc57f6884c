import { Fault } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'
import type { Timeouts } from '../types.ts'
import { post } from './navigate.ts'
import type { Payload } from './payload.ts'
import { watchPolicy } from './policy.ts'
import { askStatus } from './status.ts'
import type { Verdict } from './verdict.ts'

/**
 * Posts the payment, so that the browser navigates to the hosted flow. If the page still exists
 * after `timeouts.leave` (a target, a download, or a navigation that the payer stopped), it asks
 * the service for the result. It also asks if the page's content security policy forbade the post
 * or a later redirect, because browsers do not report which of the two.
 * @returns undefined if the payer can try again
 * @throws Fault `network.csp`
 */
export async function leave(
  payload: Payload,
  form: HTMLFormElement,
  timeouts: Timeouts,
  scope: Scope,
): Promise<Verdict | undefined> {
  const forbidden = new Promise<Fault>((resolve) =>
    watchPolicy(scope, payload.url, 'form-action', resolve),
  )
  post(payload, { target: form.getAttribute('target'), enctype: form.getAttribute('enctype') })
  const fault = await Promise.race([forbidden, scope.pause(timeouts.leave)])
  const found = await askStatus(payload.statusUrl, timeouts, scope)
  if (!fault) return whenSettled(found)
  if (typeof found === 'object') return found
  throw new Fault('network.csp', { ...fault.details, outcome: found ? 'not_sent' : 'unknown' })
}

/**
 * Returns a definite result; a pending transaction is on its page, in another window or left
 * behind.
 */
export const whenSettled = (found: Awaited<ReturnType<typeof askStatus>>): Verdict | undefined =>
  typeof found === 'object' && found.kind !== 'pending' ? found : undefined
