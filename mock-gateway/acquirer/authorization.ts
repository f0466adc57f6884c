export type { BankDecision, BankRefusal } from '../domain/order/decision.ts'

import type { Ambient } from '../domain/ambient.ts'
import type { AuthenticationPlan } from '../domain/card/three-d-secure.ts'
import type { JsonObject } from '../domain/json.ts'
import type { BankDecision, BankRefusal, ForcedOutcome } from '../domain/order/decision.ts'
import type { InvoiceCountry } from '../domain/payer/personal-numbers.ts'
import type { UnavailablePolicy } from './three-d-secure/verdict.ts'

/** The source of the money. */
export type Source =
  /** A card the payer typed; its CVV decides the answer (specification: Test-mode behavior). */
  | { readonly kind: 'card'; readonly cvv: string }
  /** A stored card; its CVV counts where the merchant has the payer asked for it again. */
  | { readonly kind: 'stored_card'; readonly cvv?: string | undefined }
  /**
   * A charge of a subscription; the stored card's expiry (MMYY) decides (specification: Test-mode
   * behavior).
   */
  | { readonly kind: 'recurring'; readonly expiry: string }
  /**
   * A credit check; the number, in its normal form, decides in test mode (specification: Test-mode
   * behavior).
   */
  | { readonly kind: 'invoice'; readonly country: InvoiceCountry; readonly personalNumber: string }
  /** An app or a bank whose answer the payer has not given yet. */
  | { readonly kind: 'payer' }

/** A request to the simulated bank. It is valid: card number, amount and test flag are checked. */
export interface AuthorizationRequest {
  readonly test: boolean
  readonly source: Source
  /** Read for service_instructions in test mode only. */
  readonly metadata: JsonObject | null
  /** True if the card is to be stored. */
  readonly storeCard: boolean
  /** Decision about payments with test=false, for which no bank is asked (our decision). */
  readonly liveCards: 'simulate' | 'refuse'
  /** How the payer is authenticated before the card is charged; undefined when not at all. */
  readonly authentication?: AuthenticationPlan | undefined
  /** Treatment of payments whose issuer cannot authenticate; default: accepted. */
  readonly unavailable?: UnavailablePolicy
  /** Why the merchant's rules, or the fraud check, refuse it before the bank is asked. */
  readonly screened?: BankRefusal | undefined
  /** Outcome forced by a test, instead of the bank's decision. */
  readonly forced?: ForcedOutcome | undefined
  readonly randomBytes: Ambient['randomBytes']
}

/** Result of a request to the simulated bank. */
export type Authorization =
  | (BankDecision & {
      /** How the payer was authenticated, without being asked. */
      readonly authentication?: AuthenticationPlan
    })
  /** The payment can continue; the payer must still answer, in an app or at a bank. */
  | { readonly kind: 'pending' }
  /** 3-D Secure asks the payer first; then the bank's word applies. */
  | {
      readonly kind: 'challenge'
      readonly authentication: AuthenticationPlan
      readonly word: BankDecision
    }

/** A rule that can decline a payment; undefined passes it to the next rule. */
export type DeclineRule = (request: AuthorizationRequest) => BankRefusal | undefined

type RandomBytes = Ambient['randomBytes']

/** Creates the code of an authorization: six digits. */
export const createAuthCode = (randomBytes: RandomBytes): string =>
  String(Buffer.from(randomBytes(4)).readUInt32BE() % 1_000_000).padStart(6, '0')

/**
 * Creates the bank's own id of a payment: `sim_`, which shows that it is simulated, and 16
 * hexadecimal characters.
 */
export const createProviderRef = (randomBytes: RandomBytes): string =>
  `sim_${Buffer.from(randomBytes(8)).toString('hex')}`
