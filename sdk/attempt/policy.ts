import { Fault } from '../errors/faults.ts'
import type { Scope } from '../scope.ts'

/** Watches for the page's content security policy forbidding a request.
 * @param onViolation gets a fault `network.csp`, in a task after the one that made the request */
export function watchPolicy(
  scope: Scope,
  url: string,
  directive: 'connect-src' | 'form-action',
  onViolation: (fault: Fault) => void,
): void {
  const explain = `The content security policy of the page (${directive}) forbids the payment.`
  scope.listen(document, 'securitypolicyviolation', (event) => {
    const { disposition, effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent
    const isOurs = effectiveDirective === directive && originOf(blockedURI) === originOf(url)
    if (disposition === 'enforce' && isOurs) onViolation(new Fault('network.csp', { explain }))
  })
}

/** Origin of an address; undefined for words such as `inline`. */
function originOf(address: string): string | undefined {
  try {
    return new URL(address).origin
  } catch {
    return undefined
  }
}
