import type { ErrorName } from '../domain/errors.ts'
import type { Axis } from './authorization.ts'

/** CVVs that the simulated bank declines; 200 and every other one is approved (specification: Test-mode behavior). */
const DECLINED_CVVS: ReadonlyMap<string, ErrorName> = new Map([
  ['201', 'errors.payment.declined'],
  ['202', 'errors.card_cvv.invalid'],
  ['203', 'errors.card.expired'],
])

/** Declines by the CVV that was typed, in test mode. */
export const byCvv: Axis = ({ test, source }) => {
  const error = test && source.kind === 'card' ? DECLINED_CVVS.get(source.cvv) : undefined
  return error && { kind: 'declined', error }
}
