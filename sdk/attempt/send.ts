import { isReadAlong, tell } from '../advice/tell.ts'
import { Fault } from '../errors/faults.ts'
import { guard } from '../log.ts'
import type { Scope } from '../scope.ts'
import type { Payload } from '../state.ts'
import type { FaultCode, Timeouts } from '../types.ts'
import { createElement, setTemporarily } from '../ui/elements.ts'
import { exchange } from './exchange.ts'
import { askStatus, readAnswer, type Verdict } from './verdict.ts'

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

/** Returns a definite result. A pending transaction is on its page, or left behind. */
export const whenSettled = (found: Awaited<ReturnType<typeof askStatus>>): Verdict | undefined =>
  typeof found === 'object' && found.kind !== 'pending' ? found : undefined

/**
 * Posts fields with a new form, so that the browser goes to their address. The page's own form is
 * never sent: it may contain unencrypted values, and its submit handlers would run again.
 */
export function post(
  { url, fields, files = [] }: Pick<Payload, 'url' | 'fields'> & Partial<Payload>,
  attributes: Readonly<Record<string, string | null>>,
): void {
  const form = createElement('form', {
    method: 'post',
    action: url,
    acceptCharset: 'UTF-8',
    hidden: true,
  })
  for (const [name, value] of Object.entries(attributes)) setTemporarily(form, name, value)
  form.append(
    ...fields.map(([name, value]) => createElement('input', { type: 'hidden', name, value })),
    ...files.map(({ name, files }) => createElement('input', { type: 'file', name, files })),
  )
  document.body.append(form)
  // Firefox throws if the page's policy forbids it, and also reports it like other browsers.
  guard(() => HTMLFormElement.prototype.submit.call(form))
  guard(() => form.remove())
}

/**
 * Watches for violations of the page's content security policy by a request, or by a redirect in
 * its answer. Browsers report the request's address for both.
 * @param found receives a fault `network.csp`, in a task after the one that made the request
 */
export const watchPolicy = (
  scope: Scope,
  url: string,
  directive: 'connect-src' | 'form-action' | 'frame-src',
  found: (fault: Fault) => void,
): void =>
  guard(() => {
    scope.listen(document, 'securitypolicyviolation', (event) => {
      const { disposition, effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent
      const isOurs = effectiveDirective === directive && getOrigin(blockedURI) === getOrigin(url)
      if (disposition === 'enforce' && isOurs)
        found(new Fault('network.csp', { facts: { directive } }))
    })
  })

/** Returns an address's origin; words such as `blob` have the page's. */
const getOrigin = (address: string): string => new URL(address, document.baseURI).origin
