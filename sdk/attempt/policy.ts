import { Fault } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'

/** Watches for the page's content security policy forbidding a request, or a redirect of its answer: both name the
 * address the request went to.
 * @returns a fault `network.csp`, in a task after the one that made the request; never kept when there is no violation */
export const watchPolicy = (
  scope: Scope,
  url: string,
  directive: 'connect-src' | 'form-action' | 'frame-src',
): Promise<Fault> =>
  new Promise((resolve) => {
    scope.listen(document, 'securitypolicyviolation', (event) => {
      const { disposition, effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent
      const isOurs = effectiveDirective === directive && originOf(blockedURI) === originOf(url)
      if (disposition === 'enforce' && isOurs) resolve(new Fault('network.csp', { facts: { directive } }))
    })
  })

/** Origin of an address; undefined for words such as `inline`. */
function originOf(address: string): string | undefined {
  try {
    return new URL(address).origin
  } catch {
    return undefined
  }
}
