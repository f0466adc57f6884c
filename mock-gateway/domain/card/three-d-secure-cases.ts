import type { AuthenticationPlan, AuthenticationResult } from './three-d-secure.ts'

const row = (
  flow: AuthenticationPlan['flow'],
  result: AuthenticationResult,
  more: Partial<AuthenticationPlan> = {},
) => ({
  flow,
  result,
  delaySeconds: 0,
  version: '2.2.0' as const,
  ...more,
})

/** EMV 3-D Secure: no card record, ACS technical issue. */
const NO_CARD_RECORD = '08'
const TECHNICAL_ISSUE = '22'

/**
 * What the test cards of 3-D Secure stand for, by their case, from 1 (reference: the card
 * industry's own 13 cases; the others and the seconds of 8 and 16 are our decision): an outcome, or
 * case 10 with another question than for a code. The numbers of the cards follow from the place, so
 * a further case comes last, whatever it is.
 */
export const CASES: readonly AuthenticationPlan[] = [
  row('frictionless', 'Y'),
  row('frictionless', 'N'),
  row('frictionless', 'A'),
  row('frictionless', 'U', { reason: TECHNICAL_ISSUE }),
  row('frictionless', 'R'),
  row('frictionless', 'U', { reason: NO_CARD_RECORD }),
  row('frictionless', 'error'),
  row('frictionless', 'timeout', { delaySeconds: 5 }),
  row('frictionless', 'bypass'),
  row('challenge', 'Y'),
  row('challenge', 'N'),
  row('challenge', 'U', { reason: TECHNICAL_ISSUE }),
  row('challenge', 'error'),
  row('challenge', 'abandon'),
  row('challenge', 'cancel'),
  row('challenge', 'Y', { delaySeconds: 10 }),
  row('challenge', 'replay'),
  row('challenge', 'tamper'),
  row('frictionless', 'disabled'),
  row('challenge', 'Y', { softDecline: true }),
  row('challenge', 'Y', { question: 'app' }),
  row('challenge', 'Y', { question: 'choice' }),
  row('challenge', 'Y', { question: 'choices' }),
  row('challenge', 'Y', { question: 'bankid' }),
]

/** Those that are outcomes, which the simulated bank can be told by the number of the case. */
export const OUTCOMES: ReadonlyMap<number, AuthenticationPlan> = new Map(
  CASES.flatMap((plan, index) => (plan.question === undefined ? [[index + 1, plan] as const] : [])),
)

/** The course of a payment that is challenged without its card asking for it. */
export const ALWAYS: AuthenticationPlan = row('challenge', 'Y')
