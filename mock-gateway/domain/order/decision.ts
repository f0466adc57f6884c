import type { ErrorKey } from '../errors/errors.ts'

/** The bank declined, or could not be reached. */
export interface BankRefusal {
  readonly kind: 'declined' | 'failed'
  readonly error: ErrorKey
  /**
   * English sentences for the integrator: the cause, and what would be approved. Never card
   * data.
   */
  readonly explain: string
  /** Replaces the catalogue's description. */
  readonly message?: string
}

/** The bank approved. */
interface BankApproval {
  readonly kind: 'approved'
  /** Six digits. */
  readonly authCode: string
  /** The bank's own id of the payment. */
  readonly providerRef: string
}

/**
 * The bank's final answer. It contains no card data, so it can be stored until it takes effect: a
 * CVV may only be checked while the card is read (PCI DSS 3.3.1).
 */
export type BankDecision = BankApproval | BankRefusal

/** An outcome that replaces the simulated bank's own. */
export type ForcedOutcome = 'approved' | ErrorKey
