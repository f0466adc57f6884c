import type { ErrorName } from '../domain/errors.ts'
import type { Axis } from './authorization.ts'

/** Expiries (MMYY) whose recurring charges are declined (specification: Test-mode behavior). */
const DECLINED_EXPIRIES: ReadonlyMap<string, ErrorName> = new Map([
  ['0137', 'errors.payment.declined'],
  ['0237', 'errors.card.expired'],
])

/** Declines a recurring charge by the expiry of its card, in test mode. */
export const byRecurringExpiry: Axis = ({ test, source }) => {
  const error = test && source.kind === 'recurring' ? DECLINED_EXPIRIES.get(source.expiry) : undefined
  return error && { kind: 'declined', error }
}
