import type { QuestionKind } from './bank-questions.ts'

/**
 * How the payer is authenticated: without a question, or with a challenge on a page of the issuer.
 */
export const FLOWS = ['frictionless', 'challenge', 'none'] as const

/**
 * Results of an authentication. A letter is the transaction status of EMV 3-D Secure: Y
 * authenticated, A attempted, N not authenticated, U unavailable, R rejected.
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
  /** The payer leaves: no answer arrives. */
  'abandon',
  /** The answer arrives twice. */
  'replay',
  /** The answer arrives with an invalid signature. */
  'tamper',
] as const

/** Protocol versions that an authentication can report. */
export const VERSIONS = ['1.0.2', '2.1.0', '2.2.0'] as const

/** A result that a test can request by name (our decision). */
export type RequestableResult = (typeof RESULTS)[number]

/**
 * Adds the results that only a card leads to: an exemption applies, or the merchant has no 3-D
 * Secure.
 */
export type AuthenticationResult = RequestableResult | 'bypass' | 'disabled'

/** The plan of one authentication, decided when the card is read. */
export interface AuthenticationPlan {
  readonly flow: 'frictionless' | 'challenge'
  readonly result: AuthenticationResult
  /**
   * Two digits of EMV 3-D Secure (transStatusReason), if the result alone is not specific enough.
   */
  readonly reason?: string
  /** Seconds until the answer comes, on the merchant's clock. */
  readonly delaySeconds: number
  readonly version: (typeof VERSIONS)[number]
  /** The bank requires the challenge only after it was asked to charge the card. */
  readonly softDecline?: true
  /** Challenge type of the bank; default: a code. */
  readonly question?: QuestionKind
}

/** A test's requests for an authentication (our decision); the card decides the rest. */
export interface AuthenticationInstructions {
  readonly flow?: (typeof FLOWS)[number]
  readonly result?: RequestableResult
  readonly delaySeconds?: number
  readonly version?: (typeof VERSIONS)[number]
  readonly question?: QuestionKind
}

/**
 * A result that ends an authentication. An absent payer and a forged answer do not end one, and a
 * second answer is ignored.
 */
export type FinalAuthenticationResult = Exclude<
  AuthenticationResult,
  'abandon' | 'tamper' | 'replay'
>

/** The UUIDs that the three servers of an authentication assign (EMV 3-D Secure). */
export interface ServerIds {
  readonly ds_trans_id: string
  readonly acs_trans_id: string
  readonly three_ds_server_trans_id: string
}
