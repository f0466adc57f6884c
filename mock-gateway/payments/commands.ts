import type { SentCard } from '../cards/payment-card.ts'
import type { Notice } from '../domain/notices.ts'
import type { SentHash, VerifiedHash } from '../domain/order/request-hash.ts'
import type { WebhookRequest } from '../domain/webhook/request.ts'
import type { OrderColumns, TransactionRow } from '../storage/tables/transactions.ts'
import type { PageVersion } from './on-page.ts'

/** A merchant's request to create a transaction (specification: Create transaction). */
export interface CreateTransaction {
  /** Its columns; a badly formatted amount is rejected only when paying (specification: amount rules). */
  readonly columns: OrderColumns
  /** False: prepared only, the payer finishes at `href`. */
  readonly process: boolean
  readonly webhooks: readonly WebhookRequest[]
  /** Empty unless the transaction is paid immediately. */
  readonly card: SentCard
  /** Authentication data from the browser library. */
  readonly authentication?: SentAuthentication | undefined
  /** The payer sent it from the payment page or a form, not the merchant's server or script. */
  readonly form?: true
  readonly notices: readonly Notice[]
  /** Parts that a payer may have changed, because the hash does not cover them. */
  readonly uncovered: VerifiedHash['uncovered']
}

/** Parameters with which a page reports that its payer is authenticated (observed: 5). */
export interface SentAuthentication {
  /** Undefined is not sent. */
  readonly ref: string | undefined
  readonly eci: string | undefined
  readonly providerRef: string | undefined
}

/**
 * A request to change a transaction, and possibly pay it (specification: Update transaction). Its
 * parts are read after the transaction is found, each when its errors are due: a missing transaction
 * is reported before invalid changes (observed: 8.4).
 */
export interface UpdateTransaction {
  readonly id: number | undefined
  /** As in `CreateTransaction`. */
  readonly form?: true
  readonly readIntent: () => {
    /** True when the transaction is paid now. */
    readonly process: boolean
    readonly card: SentCard
  }
  /** Undefined if the request has no hash: a client that updates has logged in. */
  readonly readHash?: (() => SentHash) | undefined
  /**
   * Reads the sent columns; without a plan, sent or stored, the order of a plan is ignored. Payer
   * details have any length: the limits depend on the method that pays.
   */
  readonly readChanges: (transaction: TransactionRow) => SentChanges
  /** Names of the request's parameters, for the log. */
  readonly sentParameters: readonly string[]
  /** Set if the payer pays, on the payment page. */
  readonly onPage?: PageVersion
}

/** Columns of a transaction as a request sends them, with the request as it is shown after payment. */
export type SentChanges = Partial<OrderColumns> & Pick<OrderColumns, 'payment_request'>

/** Captures an authorized amount, or a part of it (specification: Capture). */
export interface CaptureTransaction {
  readonly id: number | undefined
  /** As sent. */
  readonly amount: string | undefined
}

/** Refunds money (specification: Refunds). */
export interface CreateRefund {
  readonly transactionId: number | undefined
  /** As sent. */
  readonly amount: string | undefined
  readonly reason: string | undefined
  /** The merchant's own. */
  readonly ref: string | undefined
}
