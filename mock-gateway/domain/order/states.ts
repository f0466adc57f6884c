import type { TransactionStatus } from '../../contract/wire.ts'
import type { ErrorName } from '../errors/errors.ts'

/**
 * What it is called when a transaction goes from one status to another; log and webhooks follow
 * from it.
 */
export type StatusEvent =
  | 'charged'
  | 'challenged'
  | 'reopened'
  | 'captured'
  | 'capture_sent'
  | 'capture_failed'

/** What may happen to a transaction in one status. */
export interface StateRules {
  /**
   * What may follow, and by which event. A try that ends like the one before repeats the status.
   */
  readonly next: Readonly<Partial<Record<TransactionStatus, StatusEvent>>>
  /** A card may pay it now; until then its amount and currency may change too. */
  readonly payable: boolean
  /** Fields beside the money may change: while it is not approved and nothing is running. */
  readonly updatable: boolean
  readonly capturable: boolean
  /** Money may go back; for an authorized one this releases the reservation. */
  readonly refundable: boolean
  /**
   * No other transaction with its payment_ref may be paid: the bank was asked, and money has moved
   * or may move (our decision: form plugins post an order again at every try, so those that are not
   * paid share a payment_ref).
   */
  readonly claimsPaymentRef: boolean
  /** Why an operation is refused here: something is running, or all is done. */
  readonly refusal: ErrorName & ('errors.transaction.locked' | 'errors.transaction.processed')
}

/** However the bank answers. */
const CHARGED = {
  authorized: 'charged',
  approved: 'charged',
  declined: 'charged',
  failed: 'charged',
} as const

/** After a try that came to nothing. */
const UNPAID: StateRules = {
  next: { pending: 'reopened', '3ds pending': 'challenged', ...CHARGED },
  payable: true,
  updatable: true,
  capturable: false,
  refundable: false,
  claimsPaymentRef: false,
  refusal: 'errors.transaction.processed',
}

/**
 * The life of a transaction (specification: States; operations tied to states; our decision where
 * it is silent: a declined or failed payment may be tried again).
 */
export const STATES: Readonly<Record<TransactionStatus, StateRules>> = {
  pending: {
    next: { '3ds pending': 'challenged', ...CHARGED },
    payable: true,
    updatable: true,
    capturable: false,
    refundable: false,
    claimsPaymentRef: false,
    refusal: 'errors.transaction.locked',
  },
  '3ds pending': {
    next: { pending: 'reopened', ...CHARGED },
    payable: false,
    updatable: false,
    capturable: false,
    refundable: false,
    claimsPaymentRef: true,
    refusal: 'errors.transaction.locked',
  },
  authorized: {
    next: { 'capture pending': 'capture_sent', approved: 'captured' },
    payable: false,
    updatable: true,
    capturable: true,
    refundable: true,
    claimsPaymentRef: true,
    refusal: 'errors.transaction.processed',
  },
  'capture pending': {
    next: { approved: 'captured', failed: 'capture_failed' },
    payable: false,
    updatable: false,
    capturable: false,
    refundable: false,
    claimsPaymentRef: true,
    refusal: 'errors.transaction.locked',
  },
  approved: {
    next: {},
    payable: false,
    updatable: false,
    capturable: false,
    refundable: true,
    claimsPaymentRef: true,
    refusal: 'errors.transaction.processed',
  },
  declined: UNPAID,
  failed: UNPAID,
}

/**
 * What happens when a transaction goes from one status to another in one step; undefined when it
 * cannot.
 */
export const eventOf = (from: TransactionStatus, to: TransactionStatus): StatusEvent | undefined =>
  STATES[from].next[to]
