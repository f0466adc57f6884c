import type { TransactionStatus } from '../contract/transaction.ts'
import type { ErrorName } from './errors.ts'

/** What may happen to a transaction in one status. */
export interface StateRules {
  /** What may follow. A try that ends like the one before repeats the status. */
  readonly next: readonly TransactionStatus[]
  /** A card may pay it now; until then its amount and currency may change too. */
  readonly payable: boolean
  /** Fields beside the money may change: while it is not approved and nothing is running. */
  readonly updatable: boolean
  readonly capturable: boolean
  /** Money may go back; for an authorized one this releases the reservation. */
  readonly refundable: boolean
  /** No other transaction of the merchant may have the same payment_ref. */
  readonly holdsPaymentRef: boolean
  /** Why an operation is refused here: something is running, or all is done. */
  readonly refusal: ErrorName & ('errors.transaction.locked' | 'errors.transaction.processed')
}

const OUTCOMES = ['authorized', 'approved', 'declined', 'failed'] as const

/**
 * The life of a transaction (specification: States; operations tied to states; our decision where it is silent:
 * a declined or failed payment may be tried again, and its payment_ref is free for another transaction).
 */
export const STATES: Readonly<Record<TransactionStatus, StateRules>> = {
  pending: {
    next: ['3ds pending', ...OUTCOMES],
    payable: true,
    updatable: true,
    capturable: false,
    refundable: false,
    holdsPaymentRef: true,
    refusal: 'errors.transaction.locked',
  },
  '3ds pending': {
    next: ['pending', ...OUTCOMES],
    payable: false,
    updatable: false,
    capturable: false,
    refundable: false,
    holdsPaymentRef: true,
    refusal: 'errors.transaction.locked',
  },
  authorized: {
    next: ['capture pending', 'approved'],
    payable: false,
    updatable: true,
    capturable: true,
    refundable: true,
    holdsPaymentRef: true,
    refusal: 'errors.transaction.processed',
  },
  'capture pending': {
    next: ['approved', 'failed'],
    payable: false,
    updatable: false,
    capturable: false,
    refundable: false,
    holdsPaymentRef: true,
    refusal: 'errors.transaction.locked',
  },
  approved: {
    next: [],
    payable: false,
    updatable: false,
    capturable: false,
    refundable: true,
    holdsPaymentRef: true,
    refusal: 'errors.transaction.processed',
  },
  declined: {
    next: ['pending', '3ds pending', ...OUTCOMES],
    payable: true,
    updatable: true,
    capturable: false,
    refundable: false,
    holdsPaymentRef: false,
    refusal: 'errors.transaction.processed',
  },
  failed: {
    next: ['pending', '3ds pending', ...OUTCOMES],
    payable: true,
    updatable: true,
    capturable: false,
    refundable: false,
    holdsPaymentRef: false,
    refusal: 'errors.transaction.processed',
  },
}

/** True when a transaction may go from one status to another in one step. */
export const canMove = (from: TransactionStatus, to: TransactionStatus): boolean => STATES[from].next.includes(to)
