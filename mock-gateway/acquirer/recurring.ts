import type { DeclineRule, Refusal } from './authorization.ts'

/** Expiries (MMYY) whose recurring charges are declined (specification: Test-mode behavior). */
const DECLINED_EXPIRIES: ReadonlyMap<string, Refusal> = new Map([
  ['0137', { kind: 'declined', error: 'errors.payment.declined', explain: explain('a declined charge') }],
  ['0237', { kind: 'declined', error: 'errors.card.expired', explain: explain('an expired card') }],
])

/** Declines a recurring charge by the expiry of its card, in test mode. */
export const byRecurringExpiry: DeclineRule = ({ test, source }) =>
  test && source.kind === 'recurring' ? DECLINED_EXPIRIES.get(source.expiry) : undefined

function explain(meaning: string): string {
  return `In test mode the expiry of this stored card stands for ${meaning}; a card that expires before 2037 is approved`
}
