import type { QuestionKind } from './bank-questions.ts'

/**
 * How the payer is authenticated: by what the issuer knows already, or by asking on a page of the
 * issuer.
 */
export const FLOWS = ['frictionless', 'challenge', 'none'] as const

/**
 * What comes of it. A letter is the transaction status of EMV 3-D Secure: Y authenticated, A
 * attempted, N not authenticated, U unavailable, R rejected.
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
export type RequestableResult = (typeof RESULTS)[number]

/**
 * Besides those, what only a card brings: a rule lets the payment by, or the merchant has no 3-D
 * Secure.
 */
export type AuthenticationResult = RequestableResult | 'bypass' | 'disabled'

/** The course of one authentication, decided when the card is read. */
export interface AuthenticationPlan {
  readonly flow: 'frictionless' | 'challenge'
  readonly result: AuthenticationResult
  /**
   * Two digits of EMV 3-D Secure (transStatusReason) where the result alone does not say enough.
   */
  readonly reason?: string
  /** Seconds until the answer comes, on the merchant's clock. */
  readonly delaySeconds: number
  readonly version: (typeof VERSIONS)[number]
  /** The bank demands the challenge only after it was asked for the money. */
  readonly softDecline?: true
  /** How the bank asks; for a code where it does not say. */
  readonly question?: QuestionKind
}

/** What a test may ask for (our decision); what is left out is as the card has it. */
export interface AuthenticationInstructions {
  readonly flow?: (typeof FLOWS)[number]
  readonly result?: RequestableResult
  readonly delaySeconds?: number
  readonly version?: (typeof VERSIONS)[number]
  readonly question?: QuestionKind
}

/**
 * A result that ends an authentication; a payer who leaves and a forged answer end none, and a
 * second answer is none.
 */
export type FinalAuthenticationResult = Exclude<
  AuthenticationResult,
  'abandon' | 'tamper' | 'replay'
>

/** Ids that the three servers of an authentication give it: UUIDs (EMV 3-D Secure). */
export interface ServerIds {
  readonly ds_trans_id: string
  readonly acs_trans_id: string
  readonly three_ds_server_trans_id: string
}
