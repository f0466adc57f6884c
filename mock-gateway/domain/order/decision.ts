import type { ErrorKey } from '../errors/errors.ts'

/** The bank said no, or could not be asked. */
export interface BankRefusal {
  readonly kind: 'declined' | 'failed'
  readonly error: ErrorKey
  /**
   * One English sentence for the integrator: what caused it and what would be approved. Never card
   * data.
   */
  readonly explain: string
  /** Replaces the catalogue's description. */
  readonly message?: string
}

/** The bank said yes. */
interface BankApproval {
  readonly kind: 'approved'
  /** Six digits. */
  readonly authCode: string
  /** The bank's own id of this payment. */
  readonly providerRef: string
}

/**
 * The bank's last word. It holds nothing of the card, so it may be kept until it applies: a CVV may
 * be looked at only when the card is read (PCI DSS 3.3.1).
 */
export type BankDecision = BankApproval | BankRefusal

/** What the bank is made to say, whatever it would have said. */
export type ForcedOutcome = 'approved' | ErrorKey
