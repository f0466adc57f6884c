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

/** transStatusReason of EMV 3-D Secure: no card record, and ACS technical issue. */
const NO_CARD_RECORD = '08'
const TECHNICAL_ISSUE = '22'

/**
 * The 3-D Secure case of each test card, numbered from 1 by position, so a new case comes last
 * (reference: the card industry's own 13 cases; the others and the seconds of 8 and 16 are our
 * decision). Each is an outcome, or case 10 with another challenge type than a code.
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

/** The cases that are outcomes: tests can request them from the simulated bank by number. */
export const OUTCOMES: ReadonlyMap<number, AuthenticationPlan> = new Map(
  CASES.flatMap((plan, index) => (plan.question === undefined ? [[index + 1, plan] as const] : [])),
)

/** The plan of a payment that is challenged although its card does not require it. */
export const ALWAYS: AuthenticationPlan = row('challenge', 'Y')
