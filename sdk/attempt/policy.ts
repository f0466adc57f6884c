import { Fault } from '../errors/faults.ts'
import { guard } from '../log.ts'
import type { Scope } from '../scope.ts'

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
      const isOurs = effectiveDirective === directive && originOf(blockedURI) === originOf(url)
      if (disposition === 'enforce' && isOurs)
        found(new Fault('network.csp', { facts: { directive } }))
    })
  })

/** Returns an address's origin; words such as `blob` have the page's. */
const originOf = (address: string): string => new URL(address, document.baseURI).origin
