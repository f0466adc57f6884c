import type { DeclineRule, Refusal } from './authorization.ts'

/** CVVs that the simulated bank declines; 200 and every other one is approved (specification: Test-mode behavior). */
const DECLINED_CVVS: ReadonlyMap<string, Refusal> = new Map([
  ['201', { kind: 'declined', error: 'errors.payment.declined', explain: explain('a declined payment') }],
  ['202', { kind: 'declined', error: 'errors.card_cvv.invalid', explain: explain('a wrong CVV') }],
  ['203', { kind: 'declined', error: 'errors.card.expired', explain: explain('an expired card') }],
])

/** Declines by the CVV that was typed, in test mode. */
export const byCvv: DeclineRule = ({ test, source }) =>
  test && 'cvv' in source ? DECLINED_CVVS.get(source.cvv ?? '') : undefined

/** Says which CVV is approved, and never which one was sent. */
function explain(meaning: string): string {
  return `In test mode this CVV stands for ${meaning}; 200 is approved`
}
