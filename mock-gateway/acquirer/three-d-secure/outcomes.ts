/** How the payer is authenticated: by what the issuer knows already, or by asking on a page of the issuer. */
export const FLOWS = ['frictionless', 'challenge', 'none'] as const

/**
 * What comes of it. A letter is the transaction status of EMV 3-D Secure: Y authenticated, A attempted, N not
 * authenticated, U unavailable, R rejected.
 */
export const RESULTS = [
  'Y',
  'A',
  'N',
  'U',
  'R',
  'error',
  'timeout',
  'cancel',
  /** The payer leaves: no answer ever comes. */
  'abandon',
  /** The answer comes twice. */
  'replay',
  /** The answer comes with a broken signature. */
  'tamper',
] as const

/** Versions of the protocol that an authentication may say it has run by. */
export const VERSIONS = ['1.0.2', '2.1.0', '2.2.0'] as const

/** What a test may ask for by name (our decision). */
export type AskedResult = (typeof RESULTS)[number]

/** Besides those, what only a card brings: a rule lets the payment by, or the merchant has no 3-D Secure. */
export type Result = AskedResult | 'bypass' | 'disabled'

/** The course of one authentication, decided when the card is read. */
export interface AuthenticationPlan {
  readonly flow: 'frictionless' | 'challenge'
  readonly result: Result
  /** Two digits of EMV 3-D Secure (transStatusReason) where the result alone does not say enough. */
  readonly reason?: string
  /** Seconds until the answer comes, on the merchant's clock. */
  readonly delaySeconds: number
  readonly version: (typeof VERSIONS)[number]
  /** The bank demands the challenge only after it was asked for the money. */
  readonly softDecline?: true
}

const row = (flow: AuthenticationPlan['flow'], result: Result, more: Partial<AuthenticationPlan> = {}) => ({
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
 * What the test cards of 3-D Secure stand for, by their case (reference: the card industry's own 13 cases; 14 to 20 and
 * the seconds of 8 and 16 are our decision).
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
]

/** The course of a payment that is challenged without its card asking for it. */
export const ALWAYS: AuthenticationPlan = row('challenge', 'Y')
