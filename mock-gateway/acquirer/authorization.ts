import type { Ambient } from '../domain/ambient.ts'
import type { ErrorKey } from '../domain/errors.ts'
import type { InvoiceCountry } from '../domain/invoice-countries.ts'
import type { JsonObject } from '../domain/json.ts'
import type { AuthenticationPlan } from './three-d-secure/outcomes.ts'
import type { Unavailable } from './three-d-secure/verdict.ts'

/** What the money is taken from. */
export type Source =
  /** A card the payer typed; its CVV decides the answer (specification: Test-mode behavior). */
  | { readonly kind: 'card'; readonly cvv: string }
  /** A stored card: no CVV. */
  | { readonly kind: 'stored_card' }
  /** A charge of a subscription; the stored card's expiry (MMYY) decides (specification: Test-mode behavior). */
  | { readonly kind: 'recurring'; readonly expiry: string }
  /** A credit check; the number, in its normal form, decides in test mode (specification: Test-mode behavior). */
  | { readonly kind: 'invoice'; readonly country: InvoiceCountry; readonly personalNumber: string }
  /** An app or a bank in which the payer has yet to answer. */
  | { readonly kind: 'payer' }

/** What the simulated bank is asked. The request itself is valid: card number, amount and test flag are checked. */
export interface AuthorizationRequest {
  readonly test: boolean
  readonly source: Source
  /** Read for service_instructions in test mode only. */
  readonly metadata: JsonObject | null
  /** True when the card is to be stored. */
  readonly storeCard: boolean
  /** What happens with test=false, where no bank is asked (our decision). */
  readonly liveCards: 'simulate' | 'refuse'
  /** How the payer is authenticated before the card is charged; undefined when not at all. */
  readonly authentication?: AuthenticationPlan | undefined
  /** What happens when the issuer cannot authenticate; by default the payment is taken. */
  readonly unavailable?: Unavailable
  readonly randomBytes: Ambient['randomBytes']
}

/** The bank said no, or could not be asked. */
export interface Refusal {
  readonly kind: 'declined' | 'failed'
  readonly error: ErrorKey
  /** One English sentence for the integrator: what caused it and what would be approved. Never card data. */
  readonly explain: string
  /** Replaces the catalogue's description. */
  readonly message?: string
}

/** The bank said yes. */
export interface Approval {
  readonly kind: 'approved'
  /** Six digits. */
  readonly authCode: string
  /** The bank's own id of this payment. */
  readonly providerRef: string
}

/**
 * The bank's last word. It holds nothing of the card, so it may be kept until it applies: a CVV may be looked at only
 * when the card is read (PCI DSS 3.3.1).
 */
export type Decision = Approval | Refusal

/** What comes of asking the simulated bank. */
export type Authorization =
  | (Decision & {
      /** How the payer was authenticated, without being asked. */
      readonly authentication?: AuthenticationPlan
    })
  /** Nothing stands in the way, and the payer has yet to answer, in an app or at a bank. */
  | { readonly kind: 'pending' }
  /** 3-D Secure asks the payer first; then the bank's word applies. */
  | { readonly kind: 'challenge'; readonly authentication: AuthenticationPlan; readonly word: Decision }

/** One reason to refuse; undefined leaves the answer to the next one. */
export type DeclineRule = (request: AuthorizationRequest) => Refusal | undefined
