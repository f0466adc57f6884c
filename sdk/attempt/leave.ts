import { Fault } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'
import type { Timeouts } from '../types.ts'
import { post } from './navigate.ts'
import type { Payload } from './payload.ts'
import { watchPolicy } from './policy.ts'
import { askStatus } from './status.ts'
import type { Verdict } from './verdict.ts'

/**
 * Posts the payment, so that the browser goes to the hosted flow. Most pages are gone then; one
 * that stands after `timeouts.leave` (a target, a download, a navigation the payer stopped) is told
 * what the service says. So is one whose content security policy forbade the post, or a redirect
 * that came after it: browsers do not tell which.
 * @returns undefined when the payer may simply try again
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
