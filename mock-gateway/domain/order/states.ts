import type { TransactionStatus } from '../../contract/wire.ts'
import type { ErrorName } from '../errors/errors.ts'
import { type Hundredths, hundredths } from '../money/money.ts'

/** Name of the change from one status to another; log and webhooks use it. */
export type StatusEvent =
  | 'charged'
  | 'challenged'
  | 'reopened'
  | 'captured'
  | 'capture_sent'
  | 'capture_failed'

/** Operations allowed in one status. */
interface StateRules {
  /** Possible next statuses, each with its event. A failed attempt may repeat the status. */
  readonly next: Readonly<Partial<Record<TransactionStatus, StatusEvent>>>
  /** A card can pay it now; until then its amount and currency can also change. */
  readonly payable: boolean
  /**
   * Fields other than amount and currency can change: while it is not approved and no operation is
   * running.
   */
  readonly updatable: boolean
  readonly capturable: boolean
  /** It can be refunded; if it is authorized, this releases the reservation. */
  readonly refundable: boolean
  /**
   * No other transaction with its payment_ref can be paid: the bank was asked, and money has moved
   * or may move (our decision: form plugins create a transaction for every attempt at an order, so
   * unpaid ones share a payment_ref).
   */
  readonly claimsPaymentRef: boolean
  /**
   * Error of an operation that is not allowed: an operation is running, or the transaction is
   * final.
   */
  readonly refusal: ErrorName & ('errors.transaction.locked' | 'errors.transaction.processed')
}

/** Every result of the bank. */
const CHARGED = {
  authorized: 'charged',
  approved: 'charged',
  declined: 'charged',
  failed: 'charged',
} as const

/** After a failed attempt. */
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
 * The states of a transaction (specification: States; operations tied to states; our decision where
 * it is silent: a declined or failed payment can be retried).
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

/** Returns the event of a change of status in one step; undefined if it is not allowed. */
export const findStatusEvent = (
  from: TransactionStatus,
  to: TransactionStatus,
): StatusEvent | undefined => STATES[from].next[to]

/**
 * Returns the amount of a payment that can still be refunded. @param paid null if nothing was
 * charged
 */
export const calculateLeftToRefund = (
  paid: Hundredths | null,
  given: readonly Hundredths[],
): Hundredths => hundredths(given.reduce((left, amount) => left - amount, paid ?? 0))
